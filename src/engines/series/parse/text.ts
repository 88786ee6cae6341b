/** Keeps a byte order mark inside a text, since it belongs to the text. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined where the bytes are not UTF-8 or hold a NUL, which not every store and reader can keep. */
export function decoded(bytes: Uint8Array): string | undefined {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return undefined
  }
  return text.includes('\0') ? undefined : text
}

/** Whether a text can be written as UTF-8 and read back by every store. */
export function isKeepable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** The part of an input that a message shows. */
export function shown(text: string, maxCharacters = 60): string {
  const characters = text.slice(0, maxCharacters * 2 + 2).replaceAll(/\p{Cc}/gu, '?')
  const cut = [...characters]
  return cut.length <= maxCharacters ? characters : `${cut.slice(0, maxCharacters - 1).join('')}…`
}
