"""Templates written for this project, covering the language that chat templates use."""
