import { isMark, type Token } from './tokens.ts'

/** For each place of some tokens, where others lie that are looked for again and again. */
interface Places {
  /** The last token before it that says something; -1 where there is none. */
  readonly before: Int32Array
  /** The first one from there on; the number of tokens where there is none. */
  readonly next: Int32Array
  /** The bracket that it stands in; -1 where it stands in none. */
  readonly open: Int32Array
}

/** Found once for all places: looking each time would take the longer the more there is to pass over. */
const found = new WeakMap<readonly Token[], Places>()

const isSilent = ({ kind }: Token): boolean => kind === 'space' || kind === 'comment'

function placesOf(tokens: readonly Token[]): Places {
  const known = found.get(tokens)
  if (known !== undefined) return known
  const [before, next, open] = [0, 0, 0].map(() => new Int32Array(tokens.length + 1)) as [
    Int32Array,
    Int32Array,
    Int32Array
  ]
  const opened: number[] = []
  let last = -1
  for (let at = 0; at <= tokens.length; at++) {
    before[at] = last
    open[at] = opened.at(-1) ?? -1
    const token = tokens[at]
    if (token === undefined) break
    if (!isSilent(token)) last = at
    if (isMark(token, '(')) opened.push(at)
    else if (isMark(token, ')')) opened.pop()
  }
  let following = tokens.length
  for (let at = tokens.length; at >= 0; at--) {
    const token = tokens[at]
    if (token !== undefined && !isSilent(token)) following = at
    next[at] = following
  }
  const places = { before, next, open }
  found.set(tokens, places)
  return places
}

/** The index of the next token that says something, from there on. */
export const nextAt = (tokens: readonly Token[], from: number): number =>
  placesOf(tokens).next[Math.min(from, tokens.length)] as number

/** The index of the last token before this one that says something; -1 where there is none. */
export const lastBefore = (tokens: readonly Token[], at: number): number =>
  at <= 0 ? -1 : (placesOf(tokens).before[Math.min(at, tokens.length)] as number)

/** The index of the bracket that a token stands in; -1 where it stands in none. */
export const openBefore = (tokens: readonly Token[], at: number): number =>
  at < 0 ? -1 : (placesOf(tokens).open[Math.min(at, tokens.length)] as number)
