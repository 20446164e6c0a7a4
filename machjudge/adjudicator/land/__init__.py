"""Who holds what: control, homes, sieges, conversions, rebellions, retreats, victory."""
