/** Text of at most `max` UTF-16 units, with an ellipsis where something is left out. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const kept = text.slice(0, max - 1)
  // Half of a character that takes two units is none.
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`
}

/** Lines stay; control characters and halves of characters do not. */
export function cleaned(text: string, max: number): string {
  // Cut first: what is thrown away is not worth reading.
  const wellFormed = cut(text, max).toWellFormed().replaceAll('\r\n', '\n')
  return wellFormed.replace(/(?![\n\t])\p{Cc}|[\u2028\u2029]/gu, ' ')
}

export function oneLine(text: string, max: number): string {
  return cleaned(text, max).replace(/\s+/g, ' ').trim()
}

const HTML = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as const

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => HTML[character as keyof typeof HTML])
}

/** Escaped text of at most `max` units: what would be too long is cut before it is escaped, never within an escape. */
export function cutEscaped(text: string, max: number, escaping: (text: string) => string): string {
  const length = lengthWithin(text, max, escaping)
  return length === text.length ? escaping(text) : `${escaping(text.slice(0, lengthWithin(text, max - 1, escaping)))}…`
}

/** How much of a text, in whole characters, takes at most `max` units once it is escaped. */
export function lengthWithin(text: string, max: number, escaping: (text: string) => string): number {
  let length = 0
  let escaped = 0
  for (const character of text) {
    escaped += escaping(character).length
    if (escaped > max) break
    length += character.length
  }
  return length
}

/** Text of at most `max` bytes in UTF-8. */
export function cutBytes(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text
  const ellipsis = '…'
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(max - Buffer.byteLength(ellipsis)))
  return `${text.slice(0, read)}${ellipsis}`
}
