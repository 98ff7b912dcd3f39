"""Eight conversations, and whole chat templates written for this project in the styles that model families use."""

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Current weather in a city, e.g. \"Zürich\" <now>",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "Name of the city"},
                "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
                "days": {"type": "integer", "minimum": 1, "default": 3},
            },
            "required": ["city"],
        },
    },
}
CLOCK = {
    "type": "function",
    "function": {"name": "clock", "description": "The time", "parameters": {"type": "object", "properties": {}}},
}


def call(name, arguments, number="000000001"):
    return {"id": number, "type": "function", "function": {"name": name, "arguments": arguments}}


def user(content):
    return {"role": "user", "content": content}


def assistant(content, **more):
    return {"role": "assistant", "content": content, **more}


def named_inputs():
    """(name, inputs) of the eight conversations."""
    tokens = {"bos_token": "<s>", "eos_token": "</s>"}
    system = {"role": "system", "content": "You are brief. "}
    thought = "<think>\nTwo and two is 4.\n</think>\n\nFour."
    tool_turns = [
        system,
        user("Weather in Zürich?"),
        assistant("", tool_calls=[call("get_weather", {"city": "Zürich", "days": 2, "exact": True})]),
        {"role": "tool", "name": "get_weather", "tool_call_id": "000000001", "content": '{"celsius": 21.5}'},
    ]
    return [
        ("single user", {"messages": [user("Hello there")], "add_generation_prompt": True, **tokens}),
        (
            "system and turns",
            {
                "messages": [system, user("  Hi!  "), assistant("Hello.\n"), user("Bye")],
                "add_generation_prompt": True,
                **tokens,
            },
        ),
        (
            "past thoughts, no prompt",
            {"messages": [user("2 + 2?"), assistant(thought)], "add_generation_prompt": False, **tokens},
        ),
        (
            "past thoughts, thinking off",
            {
                "messages": [system, user("2 + 2?"), assistant(thought), user("And 3 + 3?")],
                "add_generation_prompt": True,
                "extra": {"enable_thinking": False},
                **tokens,
            },
        ),
        (
            "tools given",
            {
                "messages": [system, user("Weather?")],
                "tools": [WEATHER, CLOCK],
                "add_generation_prompt": True,
                **tokens,
            },
        ),
        (
            "tool call and result",
            {"messages": tool_turns, "tools": [WEATHER, CLOCK], "add_generation_prompt": True, **tokens},
        ),
        (
            "null content, two calls, reasoning",
            {
                "messages": [
                    user("Now?"),
                    assistant(
                        None,
                        reasoning_content="I need both.",
                        tool_calls=[
                            call("clock", {}, "000000001"),
                            call("get_weather", {"city": "東京", "tags": ["a", None, 1.0]}, "000000002"),
                        ],
                    ),
                    {"role": "tool", "tool_call_id": "000000001", "name": "clock", "content": "12:00"},
                    {"role": "tool", "tool_call_id": "000000002", "name": "get_weather", "content": "晴れ ☀️"},
                    assistant("It is noon & sunny <here>.", reasoning_content="Done."),
                    user("Thanks!\n\n'quoted' \"text\" \\ back\tslash"),
                ],
                "tools": [WEATHER, CLOCK],
                "add_generation_prompt": True,
                "extra": {"enable_thinking": True},
                **tokens,
            },
        ),
        (
            "parts and other roles",
            {
                "messages": [
                    {"role": "developer", "content": "Use Markdown."},
                    {"role": "user", "content": [{"type": "text", "text": "Part one. "}, {"type": "text", "text": "Two."}]},
                    assistant([{"type": "text", "text": "Fine."}]),
                    {"role": "user", "content": "", "name": "Ada"},
                ],
                "add_generation_prompt": True,
                **tokens,
            },
        ),
    ]


MARKS = """\
{#- Turns between marks; text parts are joined. #}
{%- macro content_of(content) -%}
    {%- if content is string -%}
        {{- content -}}
    {%- elif content is sequence and content is not mapping -%}
        {%- for part in content -%}
            {%- if part.type == 'text' -%}{{- part.text -}}{%- endif -%}
        {%- endfor -%}
    {%- elif content is not none -%}
        {{- raise_exception('content of an unknown form: ' ~ content) -}}
    {%- endif -%}
{%- endmacro -%}
{{- bos_token -}}
{%- if messages[0].role == 'system' %}
<system>{{ content_of(messages[0].content) | trim }}</system>
{%- set rest = messages[1:] %}
{%- else %}
{%- set rest = messages %}
{%- endif %}
{%- if tools %}

# Tools
{%- for tool in tools %}
{{ tool | tojson }}
{%- endfor %}
{%- endif %}
{%- for message in rest %}
    {%- if message.role == 'developer' %}
<note>{{ content_of(message.content) }}</note>
    {%- else %}
<{{ message.role }}{% if message.name is defined %} name="{{ message.name }}"{% endif %}>
{{- content_of(message.content) }}
        {%- for call in message.tool_calls or [] %}
<call n="{{ loop.index }}/{{ loop.length }}">{{ call.function.name }}({% for k, v in call.function.arguments.items() %}{{ k }}={{ v | tojson }}{{ ', ' if not loop.last }}{% endfor %})</call>
        {%- endfor %}</{{ message.role }}>
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
<assistant>
{%- endif %}
"""

THOUGHTS = """\
{%- set ns = namespace(last_user=-1, multi_step=true) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.multi_step and message.role == "user" and message.content is string and not(message.content.startswith('<tool>') and message.content.endswith('</tool>')) %}
        {%- set ns.multi_step = false %}
        {%- set ns.last_user = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- set content = message.content if message.content is string else '' %}
    {%- if message.role == "assistant" %}
        {%- set thought = '' %}
        {%- if message.reasoning_content is defined and message.reasoning_content is not none %}
            {%- set thought = message.reasoning_content %}
        {%- elif '</think>' in content %}
            {%- set thought = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
            {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
        {%- endif %}
        {%- if loop.index0 > ns.last_user and (loop.last or thought) %}
            {{- '[assistant]\\n<think>\\n' + thought.strip('\\n') + '\\n</think>\\n\\n' + content.lstrip('\\n') }}
        {%- else %}
            {{- '[assistant]\\n' + content }}
        {%- endif %}
        {%- if message.tool_calls %}
            {%- for tool_call in message.tool_calls %}
                {%- if (loop.first and content) or (not loop.first) %}
                    {{- '\\n' }}
                {%- endif %}
                {%- if tool_call.function %}
                    {%- set tool_call = tool_call.function %}
                {%- endif %}
                {{- '<tool_call>{"name": "' ~ tool_call.name ~ '", "arguments": ' }}
                {%- if tool_call.arguments is string %}
                    {{- tool_call.arguments }}
                {%- else %}
                    {{- tool_call.arguments | tojson }}
                {%- endif %}
                {{- '}</tool_call>' }}
            {%- endfor %}
        {%- endif %}
        {{- '[end]\\n' }}
    {%- elif message.role == "tool" %}
        {%- if loop.first or (messages[loop.index0 - 1].role != "tool") %}{{- '[user]' }}{%- endif %}
        {{- '\\n<tool>' ~ content ~ '</tool>' }}
        {%- if loop.last or (messages[loop.index0 + 1].role != "tool") %}{{- '[end]\\n' }}{%- endif %}
    {%- else %}
        {{- '[' + message.role + ']\\n' + content + '[end]' + '\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '[assistant]\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}
"""

STRICT = """\
{% if messages[0]['role'] == 'system' %}{% set head = messages[0]['content'].strip() + '\\n\\n' %}{% set loop_messages = messages[1:] %}{% else %}{% set head = '' %}{% set loop_messages = messages %}{% endif %}
{% for message in loop_messages %}
{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
{{ raise_exception('Roles must alternate: message ' ~ loop.index ~ ' is of "' ~ message.role ~ '".') }}
{% endif %}
{% if message['role'] == 'user' %}
{{ bos_token + '[INST] ' + (head if loop.first else '') + message['content'] + ' [/INST]' }}
{% else %}
{% generation %}{{ ' ' + message['content'] | trim + ' ' + eos_token }}{% endgeneration %}
{% endif %}
{% endfor %}
"""

DATED = """\
{{- bos_token }}
{%- if not date_string is defined %}
    {%- if strftime_now is defined %}
        {%- set date_string = strftime_now("%d %b %Y") %}
    {%- else %}
        {%- set date_string = "26 Jul 2024" %}
    {%- endif %}
{%- endif %}
{%- set system_message = (messages | selectattr('role', 'equalto', 'system') | map(attribute='content') | list | first | default('none given', true)).strip() %}
{{- "<|system|>\\nToday is " + date_string + ".\\n" + system_message }}
{%- if tools is not none and tools | length > 0 %}
    {{- "\\nYou may call: " + tools | map(attribute='function.name') | join(', ') + ".\\n" }}
    {%- for t in tools %}
        {{- t | tojson(indent=4) }}
        {{- "\\n\\n" }}
    {%- endfor %}
{%- endif %}
{%- for message in messages | rejectattr('role', 'in', ['system', 'developer']) %}
    {%- if 'tool_calls' in message and message.tool_calls %}
        {%- if not message.tool_calls | length == 1 %}
            {{- raise_exception("One call at a time, please.") }}
        {%- endif %}
        {%- set tool_call = message.tool_calls[0].function %}
        {{- '<|assistant|>' }}
        {{- '{"name": "' + tool_call.name + '", "parameters": ' + tool_call.arguments | tojson + "}" }}
    {%- else %}
        {{- '<|' + message['role'] + '|>\\n' }}
        {%- if message['content'] is iterable and message['content'] is not string %}
            {%- for content in message['content'] if content['type'] == 'text' %}{{- content['text'] }}{%- endfor %}
        {%- else %}
            {{- message['content'] | trim }}
        {%- endif %}
    {%- endif %}
    {{- '<|end|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|assistant|>\\n' }}{%- endif %}
"""

TEMPLATES = [("marks", MARKS), ("thoughts", THOUGHTS), ("strict", STRICT), ("dated", DATED)]
