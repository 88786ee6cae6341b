const SPECIAL = /[\\\t\n\r\0\b\f]/g
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f'
}

/** A text as a field of TabSeparated. */
export function escapeText(text: string): string {
  return text.replaceAll(SPECIAL, (character) => ESCAPES[character] as string)
}

export function escapeBytes(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += `\\x${byte.toString(16).padStart(2, '0')}`
  return text
}
