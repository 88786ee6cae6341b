const SIMPLE: ReadonlyMap<string, number> = new Map(
  Object.entries({ a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92, "'": 39, '"': 34, '?': 63 })
)
const ESCAPE = /\\(?:[xX]([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/gs

/**
 * What stands between the quotes as bytes, one character for each: escapes may make bytes that are no text. Undefined
 * where an escape is wrong.
 */
export function bytesOfLiteral(raw: string): string | undefined {
  const parts: string[] = []
  let after = 0
  for (const match of raw.matchAll(ESCAPE)) {
    const bytes = bytesOfEscape(match)
    if (bytes === undefined) return undefined
    parts.push(bytesOfText(raw.slice(after, match.index)), bytes)
    after = match.index + match[0].length
  }
  return parts.join('') + bytesOfText(raw.slice(after))
}

function bytesOfEscape([, hex, octal, short, long, other]: RegExpExecArray): string | undefined {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
  if (other !== undefined) {
    const code = SIMPLE.get(other)
    return code === undefined ? undefined : String.fromCharCode(code)
  }
  const point = Number.parseInt(short ?? long ?? '', 16)
  return point > 0x10ffff ? undefined : bytesOfText(String.fromCodePoint(point))
}

export function bytesOfText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** The text that bytes are; what is no text shows as the replacement character. */
export function textOfBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Bytes as they stand in a `.proto` text, always spelt the same way. */
export function quote(bytes: string): string {
  const escaped = bytes.replace(/[^ !#-[\]-~]/g, (character) => {
    const code = character.charCodeAt(0)
    if (code === 34 || code === 92) return `\\${character}`
    return code === 10 ? '\\n' : `\\${code.toString(8).padStart(3, '0')}`
  })
  return `"${escaped}"`
}
