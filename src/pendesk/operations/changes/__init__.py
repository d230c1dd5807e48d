"""What a person does with an agent's work: answer, review, release."""
