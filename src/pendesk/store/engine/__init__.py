"""The two engines behind one Tx: connections, transactions, migrations, locks, and all that differs."""
