"""Small templates, one construct each, in groups: (file name, [(name, template)], variables)."""

DATA = {
    "user": {"name": "Ada", "age": 36, "tags": ["x", "Y", "z"], "items": "shadowed", "none": None},
    "numbers": [3, 1, 2],
    "empty": [],
    "text": "  Hello, World  ",
    "uni": "Straße ÄÖ 東京 ☀️",
    "rows": [
        {"k": "b", "n": 2, "d": {"e": 1}},
        {"k": "A", "n": 1, "d": {"e": 3}},
        {"k": "a", "n": 3, "d": {}},
    ],
    "t": True,
    "f": False,
    "nothing": None,
    "pi": 3.14159,
    "nested": {"a": [1, [2, {"b": "c'd"}]], "e": {}, "l": []},
}


def numbered(lines):
    """One case for each line; the line is its name too."""
    return [(line, line) for line in lines.strip("\n").split("\n") if line]


PRINTING = numbered(
    r"""
{{ 1 }} {{ -7 }} {{ 007 if false else 0 }} {{ 1_000 }} {{ 0x1F }} {{ 0b101 }} {{ 0o17 }}
{{ 1.0 }} {{ 1.5e3 }} {{ 1e16 }} {{ 1e15 }} {{ 123456789012345680.0 }} {{ 1e-4 }} {{ 1e-5 }} {{ 0.1 + 0.2 }} {{ 1e300 * 1e10 }} {{ -0.0 }}
{{ true }} {{ False }} {{ none }} {{ None }}
{{ [1, 'a', none, true, 1.0, [], {}, ()] }}
{{ (1,) }} {{ (1, 2) }} {{ () }}
{{ {'a': 1, 2: 'b', none: [1]} }}
{{ 'it''s' }} {{ ["it's", 'say "hi"', 'both \' and "', 'a\\b', 'n\nl\tt\r'] }}
{{ ['ä', '東京', '\x07', '\u200b', '\U0001F600', '\u00a0', '\x7f'] }}
{{ nested }}
{{ user['items'] }}|{{ user['none'] }}
{{ undefined_name }}|{{ user.missing }}|{{ user['missing'] }}|{{ numbers[10] }}
{{ user.keys() }} {{ user.tags|list }} {{ {'a': 1}.items() }} {{ {'a': 1}.values() }}
{{ range(3) }} {{ range(1, 7, 2)|list }} {{ range(5, 0, -2)|list }}
{{ "a" "b" 'c' }}
{{ '\x41\u0042\103\e\
x' }}
{{ t, f, 1 }}
"""
)

ARITHMETIC = numbered(
    r"""
{{ 7 + 2 }} {{ 7 - 2 }} {{ 7 * 2 }} {{ 7 / 2 }} {{ 7 // 2 }} {{ 7 % 2 }} {{ 7 ** 2 }} {{ 6 / 2 }}
{{ -7 // 2 }} {{ -7 % 2 }} {{ 7 // -2 }} {{ 7 % -2 }} {{ -7.5 // 2 }} {{ -7.5 % 2 }} {{ 7.5 % -2 }} {{ 5.0 // 2 }}
{{ 2 ** 3 ** 2 }} {{ 2 ** -1 }} {{ 2.0 ** 3 }} {{ -2 ** 2 }} {{ (-8) ** 3 }}
{{ true + 1 }} {{ true * 3 }} {{ 1 + 1.0 }} {{ 3 - 0.5 }}
{{ 'a' + 'b' }} {{ 'ab' * 3 }} {{ 3 * 'ab' }} {{ 'a' * 0 }} {{ 'a' * -1 }} {{ [1] + [2] }} {{ [1, 2] * 2 }} {{ (1,) + (2,) }}
{{ 1 ~ 2 }} {{ 'a' ~ none ~ true ~ 1.0 ~ [1] }} {{ 'x' ~ missing ~ 'y' }}
{{ 1 + 2 * 3 - 4 / 2 }} {{ (1 + 2) * 3 }} {{ 'a' ~ 1 + 2 }} {{ 10 - 2 - 3 }} {{ 2 * 3 % 4 }}
{{ 1 < 2 }} {{ 2 <= 2 }} {{ 3 > 4 }} {{ 3 >= 4 }} {{ 1 == 1.0 }} {{ 1 != 2 }} {{ 1 < 2 < 3 }} {{ 1 < 3 < 2 }} {{ true == 1 }}
{{ 'a' < 'b' }} {{ 'Z' < 'a' }} {{ [1, 2] < [1, 3] }} {{ [1] < [1, 0] }} {{ (1, 'a') < (1, 'b') }} {{ 'é' > 'z' }}
{{ [1, 2] == [1, 2] }} {{ [1] == (1,) }} {{ {'a': 1} == {'a': 1.0} }} {{ 'a' == 1 }} {{ none == none }} {{ missing == missing2 }} {{ missing == '' }}
{{ 1 in [1, 2] }} {{ 3 not in [1, 2] }} {{ 'ell' in 'hello' }} {{ '' in '' }} {{ 'a' in {'a': 1} }} {{ 'name' in user }} {{ 1 in missing }} {{ 2 in range(3) }} {{ 1.0 in [1] }}
{{ 1 and 2 }} {{ 0 and 2 }} {{ 0 or 'x' }} {{ '' or none }} {{ not 1 }} {{ not '' }} {{ not not [] }} {{ 1 or missing.x }}
{{ 'yes' if t else 'no' }} {{ 'yes' if f else 'no' }} {{ 'yes' if f }} {{ 1 if f else 2 if f else 3 }} {{ (1 if t) + 1 }}
{{ -1|abs }} {{ -(1)|abs }} {{ +1 }} {{ - -1 }} {{ not 1 == 2 }} {{ not 1 in [1] }}
{{ 0.1 }} {{ 100.0 }} {{ 1/3 }} {{ 2/3 }} {{ 1e22 }} {{ 1.7976931348623157e308 }} {{ 5e-324 }} {{ 123.456 }} {{ 1234567.0 }}
{{ 9007199254740993 == 9007199254740992.0 }} {{ 9223372036854775807 }} {{ -9223372036854775807 }}
"""
)

ACCESS = numbered(
    r"""
{{ numbers[0] }} {{ numbers[-1] }} {{ numbers[true] }} {{ 'hello'[1] }} {{ 'hello'[-1] }} {{ uni[4] }} {{ (1, 2)[1] }} {{ range(5)[-1] }}
{{ numbers[1:] }} {{ numbers[:1] }} {{ numbers[::-1] }} {{ numbers[-2:] }} {{ numbers[::2] }} {{ numbers[5:] }} {{ numbers[2:0:-1] }} {{ numbers[:-1] }}
{{ 'hello'[1:3] }} {{ 'hello'[::-1] }} {{ 'hello'[:-1] }} {{ uni[3:8] }} {{ uni[::-1] }} {{ 'hello'[-100:2] }} {{ 'abc'[3:] }} {{ 'abc'[none:2] }}
{{ (1, 2, 3)[1:] }} {{ range(10)[2:8:3]|list }} {{ range(10)[::-1]|list }} {{ [1,2,3][-1:-9:-2] }}
{{ user.name }} {{ user['name'] }} {{ user.tags[1] }} {{ user.tags.0 }} {{ rows[0].d.e }} {{ rows.1['k'] }} {{ nested.a[1][1].b }}
{{ user.get('name') }} {{ user.get('x') }} {{ user.get('x', 'dflt') }} {{ user.get('none', 1) }}
{% for k, v in user.items() %}{{ k }}={{ v }};{% endfor %}
{% for k in user %}{{ k }},{% endfor %}{% for k in user.keys() %}{{ k }}.{% endfor %}{% for v in nested.values() %}{{ v }}!{% endfor %}
{% for c in 'añb' %}[{{ c }}]{% endfor %}
{{ user.items is defined }} {{ user.get is callable }} {{ user.upper is defined }} {{ 'x'.upper is defined }}
{{ {'a': 1, 'a': 2, 1: 'x', true: 'y'} }} {{ {1: 'a'}[1.0] }} {{ {(1, 2): 'tup'}[(1, 2)] }}
{{ dict(a=1, b=2) }} {{ dict([('a', 1), ['b', 2]]) }} {{ dict({'a': 1}, a=2) }} {{ dict(user, name='B').name }}
{{ [1, 2, 2].count(2) }} {{ [1, 2].index(2) }} {{ (1, 1).count(1) }}
{{ user.copy() == user }}
{{ user|attr('name') is defined }} {{ user|attr('keys') is callable }}
{{ range(3, 0)|list }} {{ range(0)|length }} {{ range(10)|length }} {{ 5 in range(0, 10, 5) }}
"""
)

STATEMENTS = [
    ("if chain", "{% for n in [0, 1, 2, 3] %}{% if n == 0 %}zero{% elif n == 1 %}one{% elif n == 2 %}two{% else %}many{% endif %} {% endfor %}"),
    ("loop variables", "{% for x in numbers %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.depth }}{{ loop.depth0 }} {% endfor %}"),
    ("neighbours", "{% for x in numbers %}{{ loop.previtem }}<{{ x }}>{{ loop.nextitem }} {{ loop.nextitem is defined }} {% endfor %}"),
    ("cycle and changed", "{% for x in [1, 1, 2, 2, 1] %}{{ loop.cycle('a', 'b') }}{{ loop.changed(x) }} {% endfor %}"),
    ("else of for", "{% for x in empty %}{{ x }}{% else %}none{% endfor %}{% for x in numbers if x > 5 %}{{ x }}{% else %}none big{% endfor %}"),
    ("filter in head", "{% for x in numbers if x > 1 %}{{ x }}:{{ loop.index }}/{{ loop.length }}{{ ',' if not loop.last }}{% endfor %}"),
    ("filter sees namespace", "{% set ns = namespace(limit=9) %}{% for x in [1, 2, 3, 4] if x < ns.limit %}{{ x }}{% set ns.limit = 3 %}{% endfor %}"),
    ("tuple targets", "{% for a, (b, c) in [(1, (2, 3)), [4, [5, 6]]] %}{{ a }}{{ b }}{{ c }} {% endfor %}{% for k, v in {'x': 1}|items %}{{ k }}{{ v }}{% endfor %}"),
    ("iterating without parentheses", "{% for x in 1, 2, 3 %}{{ x }}{% endfor %}"),
    ("break and continue", "{% for x in range(10) %}{% if x == 2 %}{% continue %}{% endif %}{% if x == 5 %}{% break %}{% endif %}{{ x }}{% endfor %} {% for x in [1] %}{% break %}{% else %}empty{% endfor %}"),
    ("nested loops", "{% for r in rows %}{% set outer = loop %}{% for k in r %}{{ outer.index }}.{{ loop.index }}{{ k }} {% endfor %}{% endfor %}"),
    ("recursive", "{% for n in [{'v': 1, 'c': [{'v': 2}, {'v': 3, 'c': [{'v': 4}]}]}, {'v': 5}] recursive %}{{ loop.depth }}:{{ n.v }}{% if n.c %}({{ loop(n.c) }}){% endif %} {% endfor %}"),
    ("set", "{% set a = 1 %}{% set b, c = 2, [3] %}{% set d = 1, 2 %}{{ a }}{{ b }}{{ c }}{{ d }}"),
    ("set does not leave a loop", "{% set a = 1 %}{% for x in numbers %}{{ a }}{% set a = x %}{{ a }} {% endfor %}{{ a }}"),
    ("set leaves an if", "{% if true %}{% set a = 1 %}{% endif %}{{ a }}"),
    ("set in an if in a loop", "{% for x in [1, 2, 3] %}{% if x == 2 %}{% set seen = x %}{% endif %}[{{ seen }}]{% endfor %}"),
    ("set over an input", "{{ pi }}{% set pi = 3 %}{{ pi }}{% if f %}{% set t = 2 %}{% endif %}{{ t }}"),
    ("namespace", "{% set ns = namespace(a=1, b='x') %}{% for x in numbers %}{% set ns.a = ns.a + x %}{% endfor %}{{ ns.a }}{{ ns.b }}{{ ns.c is defined }}{% set ns.c = 5 %}{{ ns['c'] }}"),
    ("namespace from a dict", "{% set ns = namespace({'a': 1}, b=2) %}{{ ns.a }}{{ ns.b }}{% set ns.a, ns.b = 3, 4 %}{{ ns.a }}{{ ns.b }}"),
    ("set block", "{% set b %}x {{ 1 + 1 }}{% set inner = 5 %} y{% endset %}[{{ b }}]{{ inner is defined }}{{ b|length }}"),
    ("set block with filters", "{% set b | trim | upper %}  abc  {% endset %}[{{ b }}]"),
    ("filter block", "{% filter upper|replace('A', 'x') %}abc {{ 'a' }}{% endfilter %}"),
    ("with", "{% set a = 1 %}{% with a = 2, b = a %}{{ a }}{{ b }}{% set c = 3 %}{% endwith %}{{ a }}{{ b is defined }}{{ c is defined }}{% with %}{% set a = 9 %}{{ a }}{% endwith %}{{ a }}"),
    ("macro", "{% macro m(a, b=2, c=a) %}[{{ a }},{{ b }},{{ c }}]{% endmacro %}{{ m(1) }}{{ m(1, 3) }}{{ m(b=5, a=4) }}{{ m(1, c=7) }}{{ m() }}"),
    ("macro with varargs and kwargs", "{% macro m(a) %}{{ a }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, 3, x=4) }}{{ m(*[1, 2], **{'y': 5}) }}"),
    ("macro returns text", "{% macro m() %} x {% endmacro %}[{{ m()|trim }}][{{ m() ~ 'y' }}]{{ m() is string }}{{ m is callable }}"),
    ("macro sees globals", "{% set g = 1 %}{% macro m() %}{{ g }}{{ user.name }}{% endmacro %}{% set g = 2 %}{{ m() }}{% for x in [7] %}{% set g = x %}{{ m() }}{% endfor %}"),
    ("macro calls macro", "{% macro a(n) %}{{ n }}{% if n > 0 %}{{ a(n - 1) }}{% endif %}{% endmacro %}{% macro b() %}<{{ a(3) }}>{% endmacro %}{{ b() }}"),
    ("call block", "{% macro m(x) %}<{{ x }}:{{ caller() }}>{% endmacro %}{% call m(1) %}in{{ t }}{% endcall %}"),
    ("call block with arguments", "{% macro m() %}{% for i in [1, 2] %}{{ caller(i, b=i * 2) }}{% endfor %}{% endmacro %}{% call(a, b=0) m() %}({{ a }},{{ b }}){% endcall %}"),
    ("caller is undefined", "{% macro m() %}{{ caller is defined }}{% endmacro %}{{ m() }}"),
    ("raw", "{% raw %}{{ x }}{% if %}{# c #}{% endraw %}!{%- raw -%}  {{ y }}  {%- endraw -%} z"),
    ("generation", "a{% generation %} b {{ 1 }}{% set q = 1 %}{% endgeneration %}c{{ q is defined }}"),
    ("print", "{% print 1 + 1 %}"),
    ("joiner", "{% set j = joiner('; ') %}{% for x in numbers %}{{ j() }}{{ x }}{% endfor %}"),
    ("colons and comments", "{% if t: %}a{# {{ no }} {% no %} #}b{% endif %}{# multi\nline #}c"),
    ("forgiven filter", "{% if f %}{{ 1|no_such_filter }}{% endif %}{{ 2 if t else 1|no_such_filter }}"),
    ("strftime", "{{ strftime_now('%Y-%m-%d %H:%M:%S %A %a %B %b %j %y %I %p %%') }}{{ strftime_now('%-d %e %f|%z|%Z|') }}"),
    ("inputs", "{{ tools is none }}{{ tools is defined }}{{ documents is none }}{{ messages }}{{ add_generation_prompt }}[{{ bos_token }}]"),
]

WHITESPACE = [
    ("block lines vanish", "a\n  {% if t %}\n  b\n  {% endif %}\nc\n"),
    ("expression lines stay", "a\n  {{ 1 }}\nb\n"),
    ("strip both", "a \n {%- if t -%} \n b \n {%- endif -%} \n c"),
    ("strip expression", "a  {{- 1 -}}  b"),
    ("plus keeps indent", "a\n  {%+ if t %}\n  b{%+ endif %}\nc"),
    ("plus keeps newline", "a\n{% if t +%}\nb\n{% endif +%}\nc"),
    ("comment trims", "a\n  {# c #}\nb {# d #}\n c\n{#- e -#}\n d\n{# f +#}\ng"),
    ("text before the tag", "a {% if t %} b {% endif %} c"),
    ("first line", "   {% if t %}\nx{% endif %}"),
    ("two tags on a line", "a\n   {% if t %}  {% if t %}\nb\n{% endif %}{% endif %}\n"),
    ("trailing newline", "a\n"),
    ("two trailing newlines", "a\n\n"),
    ("only newline", "\n"),
    ("carriage returns", "a\r\nb\r{% if t %}\r\nc{% endif %}\r\n"),
    ("unicode spaces", "a\u00a0\u2003{%- if t -%}\u2003\u00a0b{% endif %}"),
    ("tabs", "x\n\t{% set a = 1 %}\n\t{{ a }}\t\n"),
    ("minus number", "{{-1}} {{ -1 }} {{- -1 }}"),
    ("raw trims", "a\n  {% raw %}\n x\n  {% endraw %}\nb"),
    ("raw strips", "a\n  {%- raw -%}\n x\n  {%- endraw -%}\nb"),
    ("raw plus", "a\n  {%+ raw %}\n x\n  {%+ endraw +%}\nb"),
    ("newline in a string", "{{ 'a\nb' }}{{ 'a\\\nb' }}"),
    ("lone braces", "{ } {x} }} %} #} {"),
    ("brackets in expressions", "{{ {'a': {'b': 1}} }}{{ {'a': {}}['a'] }}"),
    ("loop body", "{% for x in numbers %}\n  {{ x }}\n{% endfor %}\nend"),
    ("loop body stripped", "{%- for x in numbers -%}\n  {{ x }}\n{%- endfor -%}\nend"),
]

FILTERS = numbered(
    r"""
[{{ text|trim }}] [{{ 'xxaxx'|trim('x') }}] [{{ missing|trim }}] [{{ 5|trim }}] {{ '\u00a0a\u2003'|trim|length }}
{{ numbers|length }} {{ 'añ東'|length }} {{ user|count }} {{ missing|length }} {{ ''|length }} {{ (1, 2)|length }}
{{ missing|default('d') }} {{ nothing|default('d') }} {{ ''|default('d', true) }} {{ 0|d('x', boolean=true) }} {{ missing|d }}|{{ user.zip|default(user.name) }}
{{ numbers|join }} {{ numbers|join(', ') }} {{ [1, none, 'a', 1.5]|join('-') }} {{ rows|join('|', attribute='k') }} {{ 'abc'|join('.') }} {{ missing|join(',') }} {{ [1, 2]|join(0) }}
{{ 'ab C'|upper }} {{ 'Ab C'|lower }} {{ 'hELLO wORLD'|capitalize }} {{ 'hello wORLD-foo (bar) it''s'|title }} {{ 5|upper }}
{{ 'straße ŉ ﬁ'|upper }} {{ 'İSTANBUL ΣΑΣ ΟΔΟΣ'|lower }} {{ 'ǆa ßa'|capitalize }}
{{ 'aXbXc'|replace('X', '-') }} {{ 'aaa'|replace('a', 'b', 2) }} {{ 'abc'|replace('', '.') }} {{ 121|replace(1, 3) }}
{{ numbers|first }} {{ numbers|last }} {{ 'xyz'|first }} {{ 'xyz'|last }} {{ empty|first }}|{{ empty|last is defined }} {{ user|first }} {{ user|last }}
{{ numbers|reverse|list }} {{ 'abc東'|reverse }} {{ (1, 2)|reverse|list }} {{ range(3)|reverse|list }} {{ user|reverse|list }}
{{ numbers|sort }} {{ numbers|sort(reverse=true) }} {{ ['b', 'A', 'a', 'B']|sort }} {{ ['b', 'A', 'a', 'B']|sort(case_sensitive=true) }} {{ rows|sort(attribute='n')|map(attribute='k')|join }} {{ rows|sort(attribute='k,n')|map(attribute='n')|join }} {{ rows|sort(attribute='k', reverse=true)|map(attribute='n')|join }}
{{ ['a', 'A', 'b', 'a']|unique|list }} {{ ['a', 'A']|unique(case_sensitive=true)|list }} {{ rows|unique(attribute='k')|map(attribute='n')|list }} {{ [1, 1.0, true]|unique|list }}
{{ rows|map(attribute='k')|list }} {{ rows|map(attribute='d.e')|list }} {{ rows|map(attribute='d.e', default=0)|list }} {{ ['a', 'b']|map('upper')|join }} {{ ['ab', 'cd']|map('replace', 'a', 'x')|list }} {{ [[1, 2], [3]]|map('first')|list }} {{ missing|map('upper')|list }} {{ [[1, 2]]|map(attribute=1)|list }}
{{ numbers|select('odd')|list }} {{ [0, 1, '', 'a', none]|select|list }} {{ numbers|reject('>', 1)|list }} {{ numbers|select('in', [1, 2])|list }} {{ [1, 'a', none]|select('string')|list }} {{ [1, none]|reject('none')|list }}
{{ rows|selectattr('n', 'gt', 1)|map(attribute='k')|list }} {{ rows|selectattr('d')|list|length }} {{ rows|rejectattr('k', 'equalto', 'a')|map(attribute='n')|list }} {{ rows|selectattr('zz', 'defined')|list }} {{ rows|rejectattr('d.e', 'undefined')|list|length }}
{{ user|items|list }} {{ missing|items|list }} {{ {'b': 1, 'A': 2}|dictsort }} {{ {'b': 1, 'A': 2}|dictsort(true) }} {{ {'b': 1, 'a': 2}|dictsort(by='value', reverse=true) }} {{ {2: 1, 1: 2}|dictsort }}
{{ 'abc'|list }} {{ user|list }} {{ range(3)|list }} {{ (1, 2)|list }} {{ missing|list }} {{ 1|string ~ 2 }} {{ none|string }} {{ [1]|string|length }}
{{ '42'|int }} {{ '3.9'|int }} {{ 3.9|int }} {{ -3.9|int }} {{ 'x'|int }} {{ 'x'|int(7) }} {{ '0x1F'|int(base=16) }} {{ 'ff'|int(0, 16) }} {{ ' 1_0 '|int }} {{ true|int }} {{ none|int(3) }} {{ '1e3'|int }} {{ ''|int }} {{ '-5'|int }} {{ [1]|int }}
{{ '1.5'|float }} {{ 1|float }} {{ 'x'|float }} {{ 'x'|float(2) }} {{ ' 1e3 '|float }} {{ 'inf'|float }} {{ '-1_0.5'|float }} {{ 'nan'|float }} {{ none|float }} {{ '+1'|float }}
{{ -5|abs }} {{ -5.5|abs }} {{ true|abs }} {{ 2.5|round }} {{ 3.5|round }} {{ 2.675|round(2) }} {{ 1234.5|round(-2) }} {{ 7|round }} {{ 2.1|round(0, 'ceil') }} {{ 2.9|round(method='floor') }} {{ 2.345|round(1, 'ceil') }} {{ 25|round(-1) }} {{ 35|round(-1) }} {{ -2.5|round }}
{{ numbers|min }} {{ numbers|max }} {{ ['b', 'A']|min }} {{ ['b', 'A']|max }} {{ empty|min }}|{{ rows|max(attribute='n') }} {{ ['a', 'A']|max(case_sensitive=true) }} {{ 'bca'|min }}
{{ numbers|sum }} {{ [0.5, 1]|sum }} {{ rows|sum(attribute='n') }} {{ numbers|sum(start=10) }} {{ empty|sum }} {{ [[1], [2]]|sum(start=[]) }}
{{ 'a\nb\n\nc'|indent }}|{{ 'a\nb'|indent(2, true) }}|{{ 'a\n\nb'|indent(2, blank=true) }}|{{ 'a\nb'|indent('> ') }}|{{ ''|indent }}|{{ 'a\n'|indent(first=true) }}|{{ 'a\r\nb\x0bc'|indent(1) }}
{{ '<a href="x">&\'</a>'|escape }} {{ '<b>'|e }} {{ 5|e }} {{ '<'|safe }} {{ '<'|e|e }} {{ '<'|e|forceescape }} {{ ('<'|safe) + '<' }} {{ '<' + ('>'|safe) }} {{ ('<'|safe) ~ '<' }} {{ '%s'|safe|format('<') }} {{ '<x>'|safe|upper + '&' }} {{ ('<'|safe)|length }}
{{ '<'|safe is escaped }} {{ '<' is escaped }} {{ [('<'|safe)] }} {{ ('a'|safe) == 'a' }} {{ 'x'|safe is string }} {{ ('a,b'|safe).split(',') }} {{ ('<'|safe).replace('<', '>') + '&' }} {{ ('a'|safe) * 2 + '<' }} {{ ('<'|safe)|replace('<', '>') + '<' }} {{ ('<'|safe)|tojson }} {{ ['<'|safe, '>']|join('&') }} {{ ('&'|safe).join(['<', '>'|safe]) }} {{ ('{} {}&'|safe).format('<', '>'|safe) }}
{{ [1, 2, 3, 4, 5]|batch(2)|list }} {{ [1, 2, 3]|batch(2, 'x')|list }} {{ [1, 2, 3, 4, 5]|slice(2)|list }} {{ [1, 2, 3]|slice(2, 'x')|list }} {{ empty|batch(3)|list }}
{{ '%s is %d years, %5.2f|%-6s|%06d|%x|%X|%o|%e|%g|%%|%+d|%r|%c'|format('Ada', 36, 3.14159, 'ab', 42, 255, 255, 8, 12345.678, 0.0001, 5, 'q', 'z') }}
{{ '%(a)s-%(b)05.1f'|format(a=1, b=2.25) }} {{ '%s'|format([1, 'a']) }} {{ '%5s|%-5s|%.2s'|format('ab', 'cd', 'efg') }} {{ '%s %s' % ('a', 1) }} {{ '%s' % 'x' }} {{ '%d%%' % 50.7 }} {{ '%*d' % (5, 42) }} {{ '%#x %#o' % (255, 8) }} {{ '% d' % 5 }} {{ '%i' % true }}
{{ 'hello world foo'|truncate(11, leeway=0) }} {{ 'hello world foo'|truncate(11, true, leeway=0) }} {{ 'hello'|truncate(5) }} {{ 'hello world'|truncate(8, true, '!', 0) }} {{ 'hello'|center(11) }}| {{ 'one two  three-four'|wordcount }} {{ 'a b/ü?&'|urlencode }} {{ {'a b': '1&2'}|urlencode }}
{{ rows|map(attribute='n')|sort|join }} {{ numbers|map('string')|join('+') }} {{ numbers|select('even')|first }} {% set g = numbers|select('odd') %}{{ g|list }}{{ g|list }}{{ 'truthy' if empty|select else 'falsy' }}
{{ {'b': 1}|tojson }} {{ [1, 1.0, 'é"\\\n\t\x01<>&', none, true]|tojson }} {{ nested|tojson }} {{ 'é😀\x7f'|tojson(ensure_ascii=true) }} {{ {'b': 1, 'a': [1, {}]}|tojson(sort_keys=true) }} {{ {}|tojson }} {{ []|tojson(indent=2) }} {{ 1e20|tojson }} {{ (1, 'a')|tojson }}
{{ nested|tojson(indent=2) }}
{{ nested|tojson(indent=2, separators=(', ', '=')) }} {{ [1, {'a': 2}]|tojson(separators=(',', ':')) }} {{ [1, [2]]|tojson(indent='--') }} {{ {1: 2, none: 3, true: 4, 1.5: 5}|tojson }} {{ [1]|tojson(indent=0) }} {{ ('inf'|float)|tojson }}
"""
)

TESTS = numbered(
    r"""
{{ missing is defined }} {{ user is defined }} {{ missing is undefined }} {{ user.name is defined }} {{ user.zip is not defined }} {{ none is defined }}
{{ none is none }} {{ 0 is none }} {{ missing is none }} {{ none is not none }} {{ nothing is none }}
{{ 'a' is string }} {{ 1 is string }} {{ 1 is number }} {{ 1.5 is number }} {{ true is number }} {{ '1' is number }} {{ 1 is integer }} {{ true is integer }} {{ 1.0 is integer }} {{ 1.0 is float }} {{ 1 is float }} {{ true is boolean }} {{ 1 is boolean }}
{{ user is mapping }} {{ [] is mapping }} {{ [] is sequence }} {{ 'a' is sequence }} {{ user is sequence }} {{ 1 is sequence }} {{ missing is sequence }} {{ user.items() is sequence }} {{ range(2) is sequence }} {{ (1, 2) is sequence }} {{ [1]|map('string') is sequence }}
{{ [] is iterable }} {{ 'a' is iterable }} {{ user is iterable }} {{ 1 is iterable }} {{ none is iterable }} {{ missing is iterable }} {{ user.keys() is iterable }} {{ [1]|map('string') is iterable }}
{{ true is true }} {{ 1 is true }} {{ false is false }} {{ 0 is false }} {{ missing is false }} {{ '' is false }}
{{ 1 is eq 1 }} {{ 1 is eq(1) }} {{ 1 is equalto 1.0 }} {{ 1 is ne 2 }} {{ 1 is lt 2 }} {{ 1 is lessthan(2) }} {{ 2 is le 2 }} {{ 2 is gt 1 }} {{ 2 is greaterthan 1 }} {{ 2 is ge 3 }}
{{ 1 is in [1, 2] }} {{ 'a' is in 'abc' }} {{ 'x' is not in 'abc' }} {{ 3 is odd }} {{ 3 is even }} {{ 9 is divisibleby 3 }} {{ 9 is divisibleby(2) }} {{ -3 is odd }}
{{ none is sameas none }} {{ true is sameas true }} {{ 1 is sameas true }} {{ user is sameas user }} {{ 'ab' is lower }} {{ 'Ab' is lower }} {{ 'AB1' is upper }} {{ '1' is upper }} {{ range is callable }} {{ user is callable }}
{{ 'upper' is filter }} {{ 'zz' is filter }} {{ 'odd' is test }} {{ 'zz' is test }} {{ not missing is defined }} {{ 1 is odd and 2 is even }} {{ (1 is odd) is true }} {{ 1 is not odd or true }} {{ 'x' if 1 is odd else 'y' }}
"""
)

METHODS = numbered(
    r"""
[{{ text.strip() }}] [{{ text.lstrip() }}] [{{ text.rstrip() }}] [{{ 'xyaxy'.strip('yx') }}] [{{ 'xxa'.lstrip('x') }}] [{{ 'abc\n\n'.rstrip('\n') }}] [{{ 'éaé'.strip('é') }}] [{{ 'a'.strip('') }}] [{{ 'a '.strip(none) }}]
{{ 'a b  c'.split() }} {{ 'a,b,,c'.split(',') }} {{ 'a,b,c'.split(',', 1) }} {{ ' a  b c '.split(none, 1) }} {{ ''.split() }} {{ ''.split(',') }} {{ 'a<x>b'.split('<x>')[-1] }} {{ 'a b c'.split(maxsplit=1) }} {{ 'a\u2003b'.split() }} {{ 'abc'.split('abc') }}
{{ 'a,b,c'.rsplit(',', 1) }} {{ ' a b  c '.rsplit(none, 1) }} {{ 'a b c'.rsplit() }} {{ 'a,b'.rsplit(',') }} {{ ' x a  b'.rsplit(maxsplit=2) }} {{ 'aaa'.rsplit('aa') }} {{ ' a b c '.rsplit(none, 0) }} {{ ' a b '.split(none, 0) }}
{{ 'a\nb\r\nc\rd'.splitlines() }} {{ 'a\nb\n'.splitlines(true) }} {{ ''.splitlines() }} {{ 'a\x0bb\x0cc\x1cd\x85e\u2028f'.splitlines() }} {{ '\n'.splitlines() }}
{{ 'aXbXc'.replace('X', '') }} {{ 'aaa'.replace('a', 'b', 1) }} {{ 'ab'.replace('', '-') }} {{ 'ab'.replace('', '-', 2) }} {{ 'aaa'.replace('aa', 'b') }} {{ 'é'.replace('', '.') }}
{{ 'hello'.find('l') }} {{ 'hello'.rfind('l') }} {{ 'hello'.find('z') }} {{ 'éé東a'.find('a') }} {{ 'hello'.find('l', 3) }} {{ 'hello'.find('l', 0, 2) }} {{ 'hello'.find('') }} {{ 'hello'.index('e') }} {{ 'hello'.rindex('l') }} {{ 'hello'.find('', 9) }} {{ 'hello'.find('o', -1) }}
{{ 'hello'.startswith('he') }} {{ 'hello'.endswith('lo') }} {{ 'hello'.startswith(('x', 'h')) }} {{ 'hello'.startswith('l', 2) }} {{ 'hello'.endswith('l', 0, 4) }} {{ 'hello'.startswith('') }} {{ 'a'.startswith('', 2) }} {{ 'hello'.endswith(()) }}
{{ 'aBc dE'.upper() }} {{ 'aBc'.lower() }} {{ 'hello wORLD it''s x1y'.title() }} {{ 'hELLO wORLD'.capitalize() }} {{ 'aBc'.swapcase() }} {{ 'ABC'.casefold() }} {{ 'ßx ŉ'.title() }} {{ 'straße'.upper() }} {{ 'ΑΣ'.lower() }} {{ "they're bill's".title() }}
{{ 'banana'.count('a') }} {{ 'aaa'.count('aa') }} {{ 'abc'.count('') }} {{ 'éé'.count('') }} {{ 'banana'.count('a', 2) }} {{ 'banana'.count('a', 2, 4) }}
{{ ','.join(['a', 'b']) }} {{ '-'.join('abc') }} {{ ''.join([]) }} {{ ', '.join(user.tags) }} {{ ','.join({'a': 1, 'b': 2}) }} {{ '+'.join(numbers|map('string')) }}
{{ '12'.isdigit() }} {{ '1a'.isdigit() }} {{ ''.isdigit() }} {{ '²'.isdigit() }} {{ '²'.isdecimal() }} {{ '½'.isnumeric() }} {{ 'aé東'.isalpha() }} {{ 'a1'.isalnum() }} {{ 'a '.isalnum() }} {{ ' \t'.isspace() }} {{ 'ab'.islower() }} {{ 'AB'.isupper() }} {{ 'Ab Cd'.istitle() }} {{ 'AB'.istitle() }} {{ 'aé'.isascii() }} {{ 'a\n'.isprintable() }} {{ ''.isprintable() }}
{{ 'a=b=c'.partition('=') }} {{ 'a=b=c'.rpartition('=') }} {{ 'abc'.partition('=') }} {{ 'abc'.rpartition('=') }} {{ 'prefix-x'.removeprefix('prefix-') }} {{ 'x.txt'.removesuffix('.txt') }} {{ 'x'.removesuffix('') }}
[{{ 'ab'.center(7) }}] [{{ 'ab'.center(5, '*') }}] [{{ 'abc'.center(6, '*') }}] [{{ 'ab'.ljust(5) }}] [{{ 'ab'.rjust(5, '.') }}] [{{ '-42'.zfill(6) }}] [{{ '42'.zfill(1) }}] [{{ '東'.ljust(3, '_') }}]
{{ '{} {}'.format('a', 1) }} {{ '{1} {0}'.format('a', 'b') }} {{ '{x} {y}'.format(x=1, y=[2]) }} {{ '{{}} {}'.format(1) }} {{ '{0.name} {0[age]} {1[0]}'.format(user, numbers) }} {{ '{!r} {!s}'.format('a', 'b') }} {{ '{:>6}|{:<6}|{:^6}|{:*^7}'.format('a', 'b', 'c', 'd') }}
{{ '{:d} {:05d} {:+d} {:,} {:x} {:#x} {:b} {:o} {:X}'.format(42, 42, 42, 1234567, 255, 255, 5, 8, 255) }} {{ '{:.2f} {:8.3f} {:e} {:g} {:%} {:.1%} {:,.2f} {:08.2f}'.format(3.14159, 2.5, 12345.678, 0.00001, 0.25, 0.123, 1234567.891, -3.5) }} {{ '{:.3}|{:5.1}|{}'.format('abcdef', 'xyz', 1.0) }} {{ '{:{}}'.format('a', 4) }}| {{ '{:_}'.format(1234567) }} {{ '{:5}|{:<5}|{:=+5}'.format(42, 42, 42) }} {{ '{}'.format(none) }} {{ '{:>5}'.format(true) }} {{ '{:.3}'.format(3.14159) }} {{ '{:6}'.format(1.5) }}
{{ 'abc'.upper().lower().title() }} {{ ('a' ~ 1).upper() }} {{ user.name.lower()[0] }} {{ (user.tags|first).upper() }} {{ 'x'.join(['a'])|upper }}
"""
)

ERRORS = numbered(
    r"""
{{ raise_exception('No system role!') }}
{% macro m() %}{{ raise_exception('In a macro: ' ~ 1) }}{% endmacro %}{{ m() }}
{{ missing.attribute }}
{{ missing['item'] }}
{{ user.zip.code }}
{{ missing() }}
{{ user.nope() }}
{{ 'a'.nope() }}
{{ missing + 1 }}
{{ 1 + missing }}
{{ 'a' + missing }}
{{ missing < 1 }}
{{ -missing }}
{{ none.x.y }}
{{ numbers.x.y }}
{{ numbers[9].x }}
{{ 'abc'[9].x }}
{{ [].append(1) }}
{{ user.update({}) }}
{{ user.pop('name') }}
{{ numbers.sort() }}
{{ ''.__class__.x }}
{{ user.__init__() }}
{{ empty|first + 1 }}
{{ empty|max + 1 }}
{{ ('x' if f) + 'y' }}
{{ loop.index }}
{% macro m(a) %}{{ a.b }}{% endmacro %}{{ m() }}
{% macro m() %}{{ caller() }}{% endmacro %}{{ m() }}
{% for x in numbers %}{{ loop.previtem + 1 }}{% endfor %}
{{ 'a' + 1 }}
{{ 1 + 'a' }}
{{ [1] + 1 }}
{{ 'a' - 'b' }}
{{ 'a' * 1.5 }}
{{ none + 1 }}
{{ 1 / 0 }}
{{ 1 // 0 }}
{{ 1 % 0 }}
{{ 1.0 / 0 }}
{{ 0 ** -1 }}
{{ 1 < 'a' }}
{{ [1] < (1,) }}
{{ user < user }}
{{ 1 in 'abc' }}
{{ 1 in 5 }}
{{ [] in user }}
{{ {[]: 1} }}
{{ numbers['a':] }}
{{ numbers[::0] }}
{{ user[1:] }}
{{ nothing[1:] }}
{{ 5|length }}
{{ none|list }}
{% for x in none %}{% endfor %}
{% for x in 5 %}{% endfor %}
{% for a, b in [(1, 2, 3)] %}{% endfor %}
{% for a, b in [(1,)] %}{% endfor %}
{% set a, b = 1 %}
{% set user.name = 1 %}
{% set nope.x = 1 %}
{% set ns = namespace() %}{% set ns._x = 1 %}
{{ namespace(_x=1) }}
{{ 5() }}
{{ 'a'() }}
{{ numbers|join(',', 'k', 3) }}
{{ 'a'|replace('a') }}
{{ 'a'|upper(1) }}
{{ 'a'|trim(nope=1) }}
{{ 'a'.split('') }}
{{ 'a'.replace('a') }}
{{ ','.join([1]) }}
{{ 'a'.index('b') }}
{{ 'a'.startswith(1) }}
{{ 'a'.startswith(['a']) }}
{{ [1, 'a']|sort }}
{{ [{}]|sort }}
{{ ['a']|sum }}
{{ [[]]|unique|list }}
{{ missing|tojson }}
{{ range(3)|tojson }}
{{ {(1, 2): 3}|tojson }}
{{ range(1000000) }}
{{ range(1, 2, 0) }}
{{ range('a') }}
{{ '%d' % 'a' }}
{{ '%s %s' % 'a' }}
{{ '%s' % (1, 2) }}
{{ '%z' % 1 }}
{{ '%(a)s' % 1 }}
{{ '{} {}'.format(1) }}
{{ '{x}'.format(1) }}
{{ '{'.format(1) }}
{{ '{:d}'.format('a') }}
{% macro m(a) %}{% endmacro %}{{ m(1, 2) }}
{% macro m(a) %}{% endmacro %}{{ m(b=1) }}
{{ user|dictsort(by='x') }}
{{ 5|dictsort }}
{{ 1.5|round(0, 'up') }}
{{ numbers|map|list }}
{{ rows|selectattr|list }}
{{ 5|items|list }}
{{ dict([1]) }}
{{ dict(1) }}
{{ loop(1) }}
{% for x in numbers %}{{ loop(numbers) }}{% endfor %}
{{ user.get() }}
{{ strftime_now() }}
{{ raise_exception() }}
{{ numbers|batch }}
{{ -'a' }}
{{ 'a'|abs }}
"""
) + [
    ("line of an error", "a\n{% if true %}\n{{ 1 }}\n\n{{ missing.x }}\n{% endif %}"),
    ("line in a macro", "{% macro m() %}\n\n{{ missing.x }}{% endmacro %}\n\n{{ m() }}"),
    ("line after a comment", "{#\n\n#}\n{{- raise_exception('here') }}"),
    ("line after strips", "a\n\n\n{%- if true -%}\n\n\n{{ raise_exception('there') }}{% endif %}"),
]

SYNTAX = numbered(
    r"""
{{ 1 +
{{ 1 + }}
{{ }}
{{ (1 }}
{{ 1) }}
{{ [1, }}
{{ {'a' 1} }}
{{ 'a }}
{{ a b }}
{{ a. }}
{{ a.'b' }}
{{ a|  }}
{{ a is }}
{{ 1 is odd is even }}
{{ f(a=1, 2) }}
{{ f(**a, **b) }}
{{ f(a=1, a=2) }}
{{ 5 = 6 }}
{{ a ! b }}
{{ a & b }}
{{ $ }}
{{ 0123 }}
{{ '\xZZ' }}
{{ '\u12' }}
{% if %}{% endif %}
{% if true %}
{% if true %}{% endfor %}
{% endif %}
{% else %}
{% for x %}{% endfor %}
{% for x in %}{% endfor %}
{% for in y %}{% endfor %}
{% for 1 in y %}{% endfor %}
{% for x in y %}{% else %}{% else %}{% endfor %}
{% set %}
{% set 1 = 2 %}
{% set none = 1 %}
{% set a %}
{% macro %}{% endmacro %}
{% macro m %}{% endmacro %}
{% macro m(a=1, b) %}{% endmacro %}
{% macro m(1) %}{% endmacro %}
{% call 5 %}{% endcall %}
{% nonsense %}
{% %}
{% 5 %}
{# never closed
{% raw %} never closed
{% if true
{% break %}
{% continue %}
{% if true %}{% break %}{% endif %}
{{ "{{ }}
{{ {'a': 1 }
a {{ b }} c {% if x %} d {{ e
"""
) + [("line of a syntax error", "a\n{{ 1 }}\n\n{% if 1 + %}{% endif %}\nb"), ("line of an unclosed block", "a\n{% if true %}\nb\n")]

GROUPS = [
    ("printing", PRINTING, DATA),
    ("arithmetic", ARITHMETIC, DATA),
    ("access", ACCESS, DATA),
    ("statements", STATEMENTS, DATA),
    ("whitespace", WHITESPACE, DATA),
    ("filters", FILTERS, DATA),
    ("tests", TESTS, DATA),
    ("methods", METHODS, DATA),
    ("errors", ERRORS, DATA),
    ("syntax", SYNTAX, {}),
]
