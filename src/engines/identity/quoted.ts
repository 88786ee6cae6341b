const SHOWN_CHARACTERS = 100

/** Text from a token, made safe for messages, headers and logs: whoever sent the token chose it. */
export function quoted(text: string): string {
  const shown = text.slice(0, SHOWN_CHARACTERS).replaceAll(/[^ !#-&(-[\]-~]/g, '?')
  return `'${shown}${text.length > SHOWN_CHARACTERS ? '...' : ''}'`
}
