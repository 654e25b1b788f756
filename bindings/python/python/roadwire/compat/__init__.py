"""The interfaces of other packages, on roadwire: a program changes one import.

- :mod:`roadwire.compat.asn1tools`
"""
