"""Order lines of a mail, from the draft to what is on file for this phase and later ones."""
