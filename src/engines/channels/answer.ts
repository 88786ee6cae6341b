import { cut, oneLine } from './text.ts'

const MAX_ANSWER = 500
const MASK = '********'
/** What is shorter than this at the end of an answer that was cut says nothing of a secret. */
const MIN_TELLING = 4

/** What the other side said, for the log: one line, and no secret that it may have repeated. */
export function answerText(text: string, secrets: readonly string[], wasCut = false): string {
  const spellings = [...new Set(secrets.flatMap(spellingsOf))].filter((spelling) => spelling !== '')
  // The longest first: a secret may be part of another.
  spellings.sort((a, b) => b.length - a.length)
  const whole = masked(text, spellings)
  const told = wasCut ? withoutBeginning(whole, spellings) : whole
  // Once more, because line breaks that become spaces may have hidden one.
  return cut(masked(oneLine(told, told.length), spellings), MAX_ANSWER)
}

function masked(text: string, spellings: readonly string[]): string {
  return spellings.reduce((rest, spelling) => rest.replaceAll(spelling, MASK), text)
}

/** As servers repeat what they were sent: as it is, in JSON, in an address, in a page, in base64. */
function spellingsOf(secret: string): string[] {
  const form = secret.toWellFormed()
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURI(form),
    encodeURIComponent(form),
    new URLSearchParams([['', form]]).toString().slice(1),
    secret.replace(/[&<>]/g, (character) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt' }[character]};`),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    oneLine(secret, secret.length)
  ]
}

/** An answer that was cut may end within a secret, whose beginning would not be recognised. */
function withoutBeginning(text: string, spellings: readonly string[]): string {
  const most = Math.max(0, ...spellings.map((spelling) => beginningAt(text, spelling)))
  return text.slice(0, text.length - most)
}

function beginningAt(text: string, spelling: string): number {
  for (let length = Math.min(spelling.length - 1, text.length); length >= MIN_TELLING; length--) {
    if (text.endsWith(spelling.slice(0, length))) return length
  }
  return 0
}
