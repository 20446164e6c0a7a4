"""Order lines to orders, and the other way round."""
