"""Constructs that this project refuses by name."""

ROWS = [
    ("include", "{% include 'a' %}"),
    ("extends", "{% extends 'a' %}"),
    ("import", "{% import 'a' as b %}"),
    ("from", "{% from 'a' import b %}"),
    ("block", "{% block a %}{% endblock %}"),
    ("autoescape", "{% autoescape true %}{% endautoescape %}"),
    ("do", "{% do 1 %}"),
    ("unknown filter", "{{ 1|no_such_filter }}"),
    ("unknown test", "{{ 1 is no_such_test }}"),
    ("filter not supported", "{{ 'a'|urlize }}"),
    ("unknown filter reached in an if", "{% if true %}{{ 1|no_such_filter }}{% endif %}"),
    ("unknown filter of map", "{{ [1]|map('no_such_filter')|list }}"),
    ("unknown test of select", "{{ [1]|select('no_such_test')|list }}"),
    ("str method not supported", "{{ 'a'.encode() }}"),
    ("lipsum", "{{ lipsum() }}"),
    ("cycler", "{{ cycler(1, 2) }}"),
    ("several indexes", "{{ [1][1, 2] }}"),
    ("named character", "{{ '\\N{BULLET}' }}"),
]
