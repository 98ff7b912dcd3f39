#!/usr/bin/env python3
"""Reference token ids from the `tokenizers` package (pip install tokenizers; 0.23.3 wrote the committed files).

  tokenizer_golden.py small OUT_DIR
      Small files for some pre-tokenizer rules: a byte-level BPE vocabulary trained here on CORPUS, strings, and their ids;
      and pieces.json: strings and how each rule cuts them. OUT_DIR is tests/data/tokenizer.
  tokenizer_golden.py real PRE TOKENIZER_JSON[.xz] OUT_FILE [N_STRINGS [SEED]]
      The same form for the tokenizer.json of a real model, with generated strings. The file is large and not committed;
      build/…/tests/text/tokenizer_check reads it.
  tokenizer_golden.py spm TOKENIZER_JSON[.xz] OUT_FILE [N_STRINGS [SEED]]
      The same for a SentencePiece BPE, whose scores are made from the order of its merges.
  tokenizer_golden.py gguf GGUF_FILE OUT_FILE [N_STRINGS [SEED]]
      The same for the vocabulary in a GGUF file, with the rule that it names (needs the package `gguf`).

Form: {source, pre, tokens[], merges[], control[ids], user_defined[ids], cases[{text, ids, ids_as_plain?}]}; of a
SentencePiece vocabulary {…, model, scores[], add_space_prefix, unk} and no merges.
ids_as_plain are the ids when control tokens are not looked for; left out where equal.
"""

import json
import lzma
import random
import sys
from pathlib import Path

import tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

# Written for this purpose. Repetition gives the trainer words to learn.
CORPUS = [
    "The engine reads a file, builds a graph and runs it; the answer is written one token at a time.",
    "It's what we're after: they'll see that you've done it, I'd say, and I'm sure he can't, don't, won't.",
    "IT'S LOUD HERE: WE'RE SHOUTING, THEY'LL HEAR, YOU'VE WON, I'D GO, I'M IN, DON'T STOP.",
    "Numbers: 0 1 2 3 10 12 100 123 1000 1234 2024-05-17 3.14159 192.168.0.1 99% of 1,000,000.",
    "int main(int argc, char** argv) {\n    for (int i = 0; i < n; ++i) {\n        sum += a[i] * b[i];\n    }\n}\n",
    "def add(a, b):\n\treturn a + b\n\n\nprint(add(1, 2))  # three\r\n",
    "Der Motor liest die Datei und baut den Graphen; größer, schöner, süß, Straße, Übung, Äpfel.",
    "Le moteur lit le fichier, crée le graphe et l'exécute : déjà vu, où, naïf, garçon, cœur.",
    "El niño comió piñas mañana; ¿qué pasó?, ¡nada! Corazón, acción, pingüino.",
    "Двигатель читает файл и строит граф, затем отвечает по одному слову. Ещё раз, всё хорошо.",
    "エンジンはファイルを読み、グラフを作り、実行します。答えは一語ずつ書かれます。",
    "引擎读取文件，建立图，然后运行。答案一个词一个词地写出来。你好，世界！",
    "엔진은 파일을 읽고 그래프를 만들어 실행합니다. 안녕하세요 세계.",
    "المحرك يقرأ الملف ويبني الرسم ثم يجيب كلمة بعد كلمة.",
    "המנוע קורא את הקובץ ובונה גרף ואז עונה מילה אחר מילה.",
    "इंजन फ़ाइल पढ़ता है और ग्राफ़ बनाता है, फिर उत्तर देता है।",
    "เครื่องยนต์อ่านไฟล์และสร้างกราฟ แล้วตอบทีละคำ",
    "Η μηχανή διαβάζει το αρχείο και χτίζει τον γράφο.",
    "🙂 🙂🙂 👩‍👩‍👧 🇩🇪 ❤️ 👍🏽 ✓ → ∑ ≠ € £ … — “quoted” ‘text’",
]

ENDS = r"\s*[\r\n]+|\s+(?!\S)|\s+"
S = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
CASED = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+%s|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*%s"


def words(numbers, letters=r"\p{L}"):
    return (S + rf"|[^\r\n\p{{L}}\p{{N}}]?[{letters}]+|{numbers}| ?[^\s{letters}\p{{N}}]+[\r\n]*|" + ENDS)


GPT4O = CASED % (S + "?", S + "?") + r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|" + ENDS
TEKKEN = CASED % ("", "") + r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|" + ENDS
SEED = S + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}\r\n]+|" + ENDS
HAN = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
NOT_HAN = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
KIMI = (r"[\p{Han}]+|" + rf"[^\r\n\p{{L}}\p{{N}}]?{HAN}*{NOT_HAN}+{S}?|[^\r\n\p{{L}}\p{{N}}]?{HAN}+{NOT_HAN}*{S}?" +
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|" + ENDS)
DEEPSEEK3 = (r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
             r"| ?[\p{P}\p{S}]+[\r\n]*|" + ENDS)
KANA = "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"
EAST_ASIA = "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+"
PHRASES = " ?[^(\\s|[.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c])]+"
# Letters that have a case, as deepseek-llm lists them.
LETTERS_WITH_CASE = (
    "A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-\u02af"
    "\u0370-\u0373\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03f5"
    "\u03f7-\u0481\u048a-\u052f\u0531-\u0556\u10a0-\u10c5\u13a0-\u13f5\u13f8-\u13fd\u1c90-\u1cba"
    "\u1cbd-\u1cbf\u1d00-\u1d2b\u1d6b-\u1d77\u1d79-\u1d9a\u1e00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45"
    "\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fbc\u1fbe"
    "\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc\u2102"
    "\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-\u2134\u2139"
    "\u213c-\u213f\u2145-\u2149\u214e\u2183\u2184\u2c00-\u2c7b\u2c7e-\u2ce4\u2ceb-\u2cee\u2cf2\u2cf3"
    "\ua640-\ua66d\ua680-\ua69b\ua722-\ua76f\ua771-\ua787\ua78b-\ua78e\uab70-\uabbf\ufb00-\ufb06"
    "\ufb13-\ufb17\uff21-\uff3a\uff41-\uff5a\U00010400-\U0001044f\U000104b0-\U000104d3"
    "\U000104d8-\U000104fb\U00010c80-\U00010cb2\U00010cc0-\U00010cf2\U000118a0-\U000118df"
    "\U0001e900-\U0001e943")

BYTES = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
BYTE_LEVEL = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
DIGITS = pre_tokenizers.Digits(individual_digits=True)
NFC = normalizers.NFC()


def split(expression):
    return pre_tokenizers.Split(Regex(expression), "isolated")


def steps(*parts):
    return pre_tokenizers.Sequence([split(part) if isinstance(part, str) else part for part in parts])


# name: pre-tokenizer, normalizer, ignore_merges
RULES = {
    "bloom": (steps(PHRASES, BYTES), None, False),
    "chatglm-bpe": (steps(words(r"\p{N}{1,3}"), BYTES), None, False),
    "codeshell": (steps(DIGITS, BYTE_LEVEL), None, False),
    "command-r": (steps(DIGITS, BYTE_LEVEL), NFC, False),
    "dbrx": (steps(words(r"\p{N}{1,3}"), BYTES), None, False),
    "deepseek-coder": (steps("[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", EAST_ASIA, DIGITS, BYTES), None, False),
    "deepseek-llm": (steps("[\r\n]", rf"\s?[{LETTERS_WITH_CASE}]+",
                           "\\s?[!-/:-~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3000-\u3002]+", r"\s+$", EAST_ASIA,
                           DIGITS, BYTES), None, False),
    "deepseek-v3": (steps(r"\p{N}{1,3}", KANA, DEEPSEEK3, BYTES), None, False),
    "exaone": (steps(DIGITS, BYTE_LEVEL), None, False),
    "falcon": (steps(pre_tokenizers.Punctuation("contiguous"), BYTE_LEVEL, pre_tokenizers.Digits(False),
                     "[0-9][0-9][0-9]"), None, False),
    "glm4": (steps(words(r"\p{N}{1,3}"), BYTES), None, True),
    "gpt-2": (BYTE_LEVEL, None, False),
    "gpt-4o": (steps(GPT4O, BYTES), None, False),
    "grok-2": (steps(words(r"\p{N}"), BYTES), None, False),
    "hunyuan": (steps(words(r"\p{N}"), BYTES), NFC, False),
    "hunyuan-dense": (steps(r"\p{N}{1,3}", KANA, DEEPSEEK3, BYTES), None, False),
    "kimi-k2": (steps(KIMI, BYTES), None, False),
    "llama-bpe": (steps(words(r"\p{N}{1,3}"), BYTES), None, True),
    "llama4": (steps(GPT4O, BYTES), None, True),
    "minicpm5": (steps(r"\p{N}{1,3}", words(r"\p{N}+"), BYTES), None, True),
    "mpt": (BYTE_LEVEL, NFC, False),
    "qwen2": (steps(words(r"\p{N}"), BYTES), NFC, False),
    "qwen35": (steps(words(r"\p{N}", r"\p{L}\p{M}"), BYTES), NFC, False),
    "refact": (steps(DIGITS, BYTE_LEVEL), None, False),
    "seed-coder": (steps(SEED, BYTES), None, False),
    "smollm": (steps(DIGITS, BYTE_LEVEL), None, False),
    "starcoder": (steps(DIGITS, BYTE_LEVEL), None, False),
    "tekken": (steps(TEKKEN, BYTES), None, True),
    "viking": (steps(PHRASES, DIGITS, BYTES), None, False),
}
# Rules with a committed vocabulary; of the others only the pieces are committed.
TRAINED = ["gpt-2", "llama-bpe", "qwen2", "qwen35", "smollm"]

CONTROL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|im", "<|im_end|>!"]
USER_DEFINED = ["<tool_call>", "</tool_call>", "<tool", "  @@"]
# Letters of the 21 bytes that SmolLM2's vocabulary lacks; `tokenizers` leaves such bytes out.
MISSING_LETTERS = {"smollm": "ĄĆēĔĖĝÀÁñòõö÷øùúûüýþÿ"}
# Tokens that no merge makes, to tell ignore_merges apart.
WHOLE_WORDS = ["Ġunmergeable", "Ġxyzzy", "qqq", "æĹ¥æľ¬"]

STRINGS = [
    "", " ", "  ", "a", "Hello, world!", "Hello world", " leading", "trailing ", "a  b", "a   b", "   a", "a   ",
    "\n", "\n\n", " \n", "\n ", "a\nb", "a\n\nb", "a \n b", "a  \n\n  b", "\r\n", "a\r\n\r\nb", "\t\tx", "x\t\t", "\t \n\t x",
    "a\u00a0b", "\u3000全角\u3000", "a\u2028b\u2029c", "a\u0085b", "x\u180ey", "\u200b\u200d\ufeff", "a\x0b\x0cb", "\x1c\x1d\x1e\x1f",
    "it's we're they've I'm you'll he'd can't", "IT'S WE'RE THEY'VE I'M YOU'LL HE'D CAN'T", "It'S we'RE I'Ve o'LL",
    "''s '' 't's 'sa 'ta 're' s's", "it\u2019s we\u2019re", "'\u017f and '\u017ft", "x'll'd've", " 's", "\n's", "'S'T'RE",
    "0", "12", "123", "1234", "12345678", "3.14159", "1,000,000", "2024-05-17T12:34:56Z", " 42", "  42", "x1y22z333", "a  1", "a \n1",
    "²³¹ ½ ¾ Ⅳ ⅷ ① ⑳ ٣٤٥ ४५६ ๓ 一二三", "१२३४ ٠١٢٣", "1²3", "٣ ٤", "x٣y",
    "!?!? ... --- *** ###", "#include <x>", "a+=b; c->d::e", "(a)[b]{c}", "$100 €50 £7", "a!\n", "a!\n\nb", " !\r\n", "///\n\n  x",
    "https://example.org/a?b=c&d=%20#e", "user@example.org", "C:\\Users\\x", "__init__", "snake_case CamelCase kebab-case",
    "größer schöner Straße", "déjà vu naïf œuvre", "ÅNGSTRÖM ångström", "Ещё раз всё", "Ελληνικά ΐ ΰ", "İstanbul ıI",
    "cafe\u0301 cafe\u0301s", "e\u0301\u0302\u0323", "e\u0323\u0302\u0301", "A\u030a \u212b \u00c5", "\u1e9b\u0323", "o\u0308\u0304 \u022b",
    "\u0301", " \u0301x", "\n\u0308", "\u1100\u1161\u11a8 \u1112\u1161\u11ab", "\uac00\u11a8", "\u0958 \u0915\u093c", "\u0f43 \u0f42\u0fb7",
    "\u2126 \u212a \ufb01 \uf900 \U0002f800", "\u0344 \u0387 \u1f71", "q\u0307\u0323", "x\u0301y\u0301z\u0301",
    "日本語のテキスト、カタカナ、ｶﾀｶﾅ。", "日本", " 日本", "你好，世界！", "한국어 텍스트", "ภาษาไทย", "हिन्दी में पाठ", "தமிழ்", "العَرَبِيَّة", "עִבְרִית",
    "𐍈𐌰 𝔘𝔫𝔦 𝟙𝟚𝟛 𠀀𪚥", "\U00031350\U000323af \U0002ebf0 \U0001e030", "\U00011f04\U00011f50 \U00010d40x", "\U00011de0x \U00016ff4y",
    "🙂", "🙂🙂", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "❤️ ♥", "👍🏽👍", "1️⃣2️⃣", "a🙂b 🙂 c", "🏴\U000e0067\U000e0062\U000e007f",
    "\x00", "a\x00b", "\x01\x02\x7f\u0080\u009f", "\ufffd\ufffe\uffff", "\U0010ffff",
    "a\x04b", "th\x04e th\x06e", "\x13", "\x14\x16 x", "a\U00050000b", "\U000a0000",
    "<|endoftext|>", "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n", "a<|im_end|>b", "<|im_end|>!", "<|im_end|>!!", "<|im_en",
    "<|im", "<|im_end|", "<<|im_end|>>", " <|im_start|> ", "x <|endoftext|>", "<|endoftext|> x", "<|im_start|><|im_start|>",
    "<tool_call>\n{}\n</tool_call>", "<tool_cal", "<tool>", "a  @@b", "e<|im_end|>\u0301", "e\u0301<|im_end|>e\u0301", "<|IM_END|>", "<|im_end|>\u0338",
    " unmergeable unmergeable", " xyzzy xyzzy", "qqq qqqq qqq", "Ġunmergeable", "Ġ Ċ Ā ġ", "é Ã©",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "                                        x", "\n" * 20, "abcabcabcabc" * 8, "=" * 50,
    "def f(x):\n    return x\n\n\nclass A:\n\tpass\n", "int main() {\n\n\n    return 0;\n}", "| a | b |\n|---|---|\n", "- [ ] item\n  - sub\n",
]

SCRIPTS = [
    (0x41, 0x5A), (0x61, 0x7A), (0x61, 0x7A), (0x30, 0x39), (0x20, 0x7E), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x52F), (0x590, 0x6FF),
    (0x900, 0xDFF), (0xE00, 0xFFF), (0x1100, 0x11FF), (0x1E00, 0x1FFF), (0x2000, 0x2BFF), (0x3000, 0x30FF), (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3), (0xF900, 0xFFFD), (0x10000, 0x11FFF), (0x16000, 0x1EFFF), (0x1F300, 0x1FAFF), (0x20000, 0x323AF), (0, 0x10FFFF),
]
BITS = [
    "'s", "'S", "'t", "'re", "'RE", "'Ve", "'m", "'ll", "'LL", "'d", "'", "\u2019s", " ", "  ", "    ", "\n", "\r\n", "\n\n", "\t", "\u00a0", "\u3000",
    "\u0085", "\u2028", "e\u0301", "a\u0323\u0302", "A\u030a", "\u0301", "\u0308\u0301", "\u1100\u1161", "\u11a8", "\uac00", "\u093c", "\u200d", "\ufe0f",
    "👩‍👩‍👧", "🇩🇪", "👍🏽", "❤️", "1️⃣", "0", "12", "123456", "½", "Ⅳ", "٣", "①", "!", "...", " (", ");\n", "::", "_", "#", "\x00", "\x1b[0m", "\x7f", "\u180e",
    "the", " the", "The", " and", "ing", "tion", "größe", "école", "слово", "日本", "你好", "한국", "สวัสดี", "हिन्दी", "سلام",
]


def random_character(rng):
    low, high = rng.choice(SCRIPTS)
    code_point = rng.randint(low, high)
    return "x" if 0xD800 <= code_point < 0xE000 else chr(code_point)


def random_string(rng, specials):
    parts = []
    for _ in range(rng.randint(1, 24)):
        kind = rng.random()
        if kind < 0.55:
            parts.append(rng.choice(BITS))
        elif kind < 0.75:
            parts.append("".join(random_character(rng) for _ in range(rng.randint(1, 4))))
        elif kind < 0.92:
            low, high = rng.choice(SCRIPTS[:-1])
            parts.append("".join(chr(rng.randint(low, high)) for _ in range(rng.randint(1, 8))))
        elif kind < 0.96:
            parts.append(rng.choice(BITS) * rng.randint(2, 9))
        elif specials:
            special = rng.choice(specials)
            parts.append(special if rng.random() < 0.7 else special[:rng.randint(1, len(special))])
    return "".join(parts)


def ids_of(tokenizer, text, as_plain):
    tokenizer.encode_special_tokens = as_plain
    return tokenizer.encode(text, add_special_tokens=False).ids


def golden(pre, tokenizer, strings):
    form = json.loads(tokenizer.to_str())
    tokens = [""] * tokenizer.get_vocab_size()
    for text, token_id in tokenizer.get_vocab().items():
        tokens[token_id] = text
    added = form["added_tokens"]
    merges = [m if isinstance(m, str) else " ".join(m) for m in form["model"]["merges"]]
    cases = []
    for text in strings:
        case = {"text": text, "ids": ids_of(tokenizer, text, False)}
        as_plain = ids_of(tokenizer, text, True)
        if as_plain != case["ids"]:
            case["ids_as_plain"] = as_plain
        cases.append(case)
    return {
        "source": f"tokenizers {tokenizers.__version__}",
        "pre": pre,
        "tokens": tokens,
        "merges": merges,
        "control": [t["id"] for t in added if t["special"]],
        "user_defined": [t["id"] for t in added if not t["special"]],
        "cases": cases,
    }


# SentencePiece joins whatever two tokens make a third, best score first; `tokenizers` needs that as a list.
def merges_of_scores(vocabulary, scores):
    merges = []
    for text, token_id in vocabulary.items():
        for cut in range(1, len(text)):
            left, right = text[:cut], text[cut:]
            if left in scores and right in scores:
                merges.append((-scores[text], len(left), left, right))
    return [(left, right) for _, _, left, right in sorted(merges)]


def train_sentencepiece(adds_prefix):
    normalizer = normalizers.Replace(" ", "\u2581")
    if adds_prefix:
        normalizer = normalizers.Sequence([normalizers.Prepend("\u2581"), normalizer])
    learner = Tokenizer(models.BPE())
    learner.normalizer = normalizer
    learner.pre_tokenizer = pre_tokenizers.Split(Regex("\u2581*[^\u2581]+|\u2581+"), "isolated")
    trainer = trainers.BpeTrainer(vocab_size=500, limit_alphabet=170, show_progress=False)
    learner.train_from_iterator(CORPUS * 3 + ["\u2581" * 8], trainer)
    learned = sorted(learner.get_vocab().items(), key=lambda item: item[1])
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    scores = {}
    for text, _ in learned:
        scores[text] = -len(scores)
        tokens.append(text)
    vocabulary = {text: i for i, text in enumerate(tokens)}
    return sentencepiece(vocabulary, scores, normalizer, ["<unk>", "<s>", "</s>"], ["<tool>"])


def sentencepiece(vocabulary, scores, normalizer, control, user_defined):
    merges = merges_of_scores(scores, scores)
    tokenizer = Tokenizer(models.BPE(vocabulary, merges, unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tokenizer.normalizer = normalizer
    tokenizer.add_special_tokens([AddedToken(t, normalized=False, special=True) for t in control])
    tokenizer.add_tokens([AddedToken(t, normalized=False, special=False) for t in user_defined])
    return tokenizer, scores


def sentencepiece_golden(tokenizer, scores, adds_prefix, strings):
    form = golden("", tokenizer, strings)
    del form["merges"]
    form["model"] = "llama"
    form["scores"] = [scores.get(text, 0) for text in form["tokens"]]
    form["add_space_prefix"] = adds_prefix
    form["unk"] = form["tokens"].index("<unk>")
    return form


def spm(source, out_file, n_strings=2000, seed=1):
    data = Path(source).read_bytes()
    form = json.loads(lzma.decompress(data) if source.endswith(".xz") else data)
    tokenizer = Tokenizer.from_str(json.dumps(form))
    adds_prefix = "Prepend" in json.dumps(form["normalizer"])
    scores = {}
    for merge in form["model"]["merges"]:
        left, right = merge if isinstance(merge, list) else merge.split(" ")
        scores.setdefault(left + right, -len(scores))
    added = {t["content"] for t in form["added_tokens"]}
    for text in form["model"]["vocab"]:
        if text not in scores and text not in added and not (len(text) == 6 and text.startswith("<0x")):
            scores[text] = -len(scores)
    specials = sorted(added)[:40]
    rng = random.Random(int(seed))
    strings = STRINGS + [random_string(rng, specials) for _ in range(int(n_strings))]
    write(out_file, sentencepiece_golden(tokenizer, scores, adds_prefix, strings), one_case_per_line=False)


def train(pre):
    pre_tokenizer, normalizer, ignore_merges = RULES[pre]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer:
        tokenizer.normalizer = normalizer
    alphabet = sorted(set(pre_tokenizers.ByteLevel.alphabet()) - set(MISSING_LETTERS.get(pre, "")))
    trainer = trainers.BpeTrainer(vocab_size=560, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(CORPUS * 3, trainer)
    form = json.loads(tokenizer.to_str())
    vocabulary = form["model"]["vocab"]
    for word in WHOLE_WORDS:
        vocabulary.setdefault(word, len(vocabulary))
    form["model"]["ignore_merges"] = ignore_merges
    tokenizer = Tokenizer.from_str(json.dumps(form))
    tokenizer.add_special_tokens([AddedToken(t, normalized=False, special=True) for t in CONTROL])
    tokenizer.add_tokens([AddedToken(t, normalized=False, special=False) for t in USER_DEFINED])
    return tokenizer


def write(path, data, one_case_per_line):
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    if one_case_per_line:
        text = text.replace('},{"text"', '},\n{"text"').replace('"cases":[', '"cases":[\n')
    Path(path).write_text(text + "\n", encoding="ascii")


# The lengths in bytes of the pieces of every string, without committing a vocabulary for each rule.
def pieces(pre, strings):
    pre_tokenizer, normalizer, _ = RULES[pre]
    normalize = normalizer.normalize_str if normalizer else lambda text: text
    return [[len(piece) for piece, _ in pre_tokenizer.pre_tokenize_str(normalize(text))] for text in strings]


def small(out_dir):
    rng = random.Random("tokenizer golden pieces")
    strings = [text for text in STRINGS if text] + [random_string(rng, []) for _ in range(100)]
    form = {"source": f"tokenizers {tokenizers.__version__}", "strings": strings,
            "pieces": {pre: pieces(pre, strings) for pre in RULES}}
    text = json.dumps(form, ensure_ascii=True, separators=(",", ":")).replace(']],"', ']],\n"')
    (Path(out_dir) / "pieces.json").write_text(text + "\n", encoding="ascii")
    for pre in TRAINED:
        rng = random.Random(f"tokenizer golden {pre}")
        strings = STRINGS + [random_string(rng, CONTROL + USER_DEFINED) for _ in range(40)]
        write(Path(out_dir) / f"{pre}.json", golden(pre, train(pre), strings), one_case_per_line=True)
    for name, adds_prefix in (("sentencepiece", True), ("sentencepiece-no-prefix", False)):
        rng = random.Random(f"tokenizer golden {name}")
        specials = ["<s>", "</s>", "<tool>"]
        strings = ["a<s>b <s> c", "<tool> x</s>"] + STRINGS + [random_string(rng, specials) for _ in range(80)]
        form = sentencepiece_golden(*train_sentencepiece(adds_prefix), adds_prefix, strings)
        write(Path(out_dir) / f"{name}.json", form, one_case_per_line=True)


def real(pre, source, out_file, n_strings=2000, seed=1):
    data = Path(source).read_bytes()
    if source.endswith(".xz"):
        data = lzma.decompress(data)
    tokenizer = Tokenizer.from_str(data.decode("utf-8"))
    write_generated(pre, tokenizer, out_file, n_strings, seed)


def gguf(source, out_file, n_strings=2000, seed=1):
    from gguf import GGUFReader

    fields = GGUFReader(source).fields
    pre, tokens, types, merges = (
        fields[f"tokenizer.ggml.{key}"].contents() for key in ("pre", "tokens", "token_type", "merges"))
    pre_tokenizer, normalizer, ignore_merges = RULES[pre]
    special = [i for i, token_type in enumerate(types) if token_type in (3, 4)]
    vocabulary = {text: i for i, text in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocabulary, [tuple(m.split(" ")) for m in merges], ignore_merges=ignore_merges))
    tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer:
        tokenizer.normalizer = normalizer
    for i in special:
        tokenizer.add_tokens([AddedToken(tokens[i], normalized=False, special=types[i] == 3)])
    write_generated(pre, tokenizer, out_file, n_strings, seed)


def write_generated(pre, tokenizer, out_file, n_strings, seed):
    added = json.loads(tokenizer.to_str())["added_tokens"]
    specials = [t["content"] for t in added][:40]
    rng = random.Random(int(seed))
    strings = [random_string(rng, specials) for _ in range(int(n_strings))]
    write(out_file, golden(pre, tokenizer, STRINGS + strings), one_case_per_line=False)


def main():
    arguments = sys.argv[1:]
    if len(arguments) == 2 and arguments[0] == "small":
        small(arguments[1])
    elif 4 <= len(arguments) <= 6 and arguments[0] == "real":
        real(*arguments[1:])
    elif 3 <= len(arguments) <= 5 and arguments[0] == "spm":
        spm(*arguments[1:])
    elif 3 <= len(arguments) <= 5 and arguments[0] == "gguf":
        gguf(*arguments[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
