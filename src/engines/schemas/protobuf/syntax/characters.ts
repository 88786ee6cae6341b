const [LETTER, DIGIT, SPACE] = [1, 2, 4]

/** By character code; everything beyond ASCII is 0. */
const CLASSES = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code)
  if (/[A-Za-z_]/.test(character)) CLASSES[code] = LETTER
  else if (/[0-9]/.test(character)) CLASSES[code] = DIGIT
  else if (/[ \t\r\n\v\f]/.test(character)) CLASSES[code] = SPACE
}

export function isSpace(code: number): boolean {
  return CLASSES[code] === SPACE
}

export function isDigit(code: number): boolean {
  return CLASSES[code] === DIGIT
}

export function isLetter(code: number): boolean {
  return CLASSES[code] === LETTER
}

export function isNamePart(code: number): boolean {
  return ((CLASSES[code] ?? 0) & (LETTER | DIGIT)) !== 0
}
