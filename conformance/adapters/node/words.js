// Words of a text: Latin runs with their inner signs, and pairs of Chinese characters.

const RUN = /[\p{L}\p{N}_]+(?:[-+./'’#&@][\p{L}\p{N}_]+)*[+#]*/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;

export function words(text) {
  const plain = text.normalize('NFKC').toLowerCase();
  const found = new Set();
  for (const [run] of plain.matchAll(CJK)) {
    const signs = [...run];
    if (signs.length === 1) found.add(run);
    for (let place = 0; place + 1 < signs.length; place += 1) found.add(signs[place] + signs[place + 1]);
  }
  for (const [run] of plain.replace(CJK, ' ').matchAll(RUN)) {
    found.add(run);
    for (const part of run.split(/[^\p{L}\p{N}_]+/u)) if (part) found.add(part);
  }
  return found;
}

// How much of a query a text holds, 0 to 1; a single Chinese character is found inside any run.
export function score(query, text) {
  const wanted = [...words(query)];
  if (wanted.length === 0) return 0;
  const held = words(text);
  const plain = text.normalize('NFKC').toLowerCase();
  const single = (word) => [...word].length === 1 && word.match(CJK) && plain.includes(word);
  return wanted.filter((word) => held.has(word) || single(word)).length / wanted.length;
}

// Closeness of two texts in percent: shared pairs of characters (LM-4.7).
export function closeness(one, other) {
  const pairs = (text) => {
    const signs = [...text.normalize('NFKC').toLowerCase().trim()];
    return new Set(signs.length < 2 ? signs : signs.slice(1).map((sign, place) => signs[place] + sign));
  };
  const [left, right] = [pairs(one), pairs(other)];
  const shared = [...left].filter((pair) => right.has(pair)).length;
  const all = left.size + right.size - shared;
  return all === 0 ? 100 : (100 * shared) / all;
}
