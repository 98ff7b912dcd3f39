"""Helpers of the scripts that generate minfer's golden data."""
