"""The only place that knows a database: connections, schema, queries by noun."""
