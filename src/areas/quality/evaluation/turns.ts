import { isText } from './own-scan.ts'
import type { Asked, Question } from './question.ts'

/** What is asked in one statement, or a rule that makes its first baseline. */
export interface Turn {
  readonly questions: readonly Question[]
  readonly learns?: Asked
  /** It comes before all others: most often it is the only one. */
  readonly isFirst?: boolean | undefined
  /** One of several conditions that could not be asked together: it may be the one that takes any time. */
  readonly isSuspect?: boolean
  /** How long it took before without an answer. */
  readonly hadMs?: number
}

/** One statement holds so many rules at most. */
export const RULES_AT_ONCE = 100

/**
 * How dear a question may be. What is told row by row costs what it costs to read the data; a condition that somebody wrote may
 * take any time; groups and joins have to hold values beside each other; and of SQL that somebody wrote anything is possible.
 */
const RANKS = { plain: 0, conditional: 1, baseline: 2, unique: 3, referential: 4, free: 5 } as const
type Rank = (typeof RANKS)[keyof typeof RANKS]
/** For what comes before all others, and for what has had its time already. */
const [FIRST, LAST] = [-1, 6] as const

function rankOf({ rule, compiled }: Question): Rank {
  const { type, config } = rule
  if (compiled.counts === undefined) return config.where === undefined ? RANKS.plain : RANKS.conditional
  if (config.where !== undefined) return RANKS.free
  return type === 'unique' || type === 'referential' ? RANKS[type] : RANKS.free
}

const isOwn = (question: Question): boolean => rankOf(question) > RANKS.conditional

export const isPlain = ({ questions, learns }: Turn): boolean =>
  learns === undefined && questions.every((question) => rankOf(question) === RANKS.plain)

/** Whether it is about several things that need a scan each: together they take as long as one after the other. */
export const isOfSeveralScans = ({ questions }: Turn): boolean => questions.length > 1 && questions.every(isOwn)

/**
 * All questions at once. Of text, of which every scan has to read all, those of one scan come first: that one takes little more than to
 * read it once, and tells how long others will take.
 */
export function firstTurns(dataset: string, questions: readonly Question[], learners: readonly Asked[]): Turn[] {
  const learning = learners.map((learns) => ({ questions: [], learns }))
  if (!isText(dataset)) return [...piecesOf(questions).map((some) => ({ questions: some, isFirst: true })), ...learning]
  const own = questions.filter(isOwn)
  const shared = questions.filter((question) => !isOwn(question))
  const first = shared.length > 0 ? piecesOf(shared) : [own.slice(0, 1)]
  const others = shared.length > 0 ? own : own.slice(1)
  return [
    ...first.map((some) => ({ questions: some, isFirst: true })),
    ...learning,
    ...piecesOf(others).map((some) => ({ questions: some }))
  ]
}

/** What is asked by itself where all of it could not be asked together. */
export function partsOf({ questions }: Turn): Turn[] {
  const [plain, conditional, own] = [RANKS.plain, RANKS.conditional, undefined].map((rank) =>
    questions.filter((question) => (rank === undefined ? isOwn(question) : rankOf(question) === rank))
  ) as [Question[], Question[], Question[]]
  if (conditional.length === questions.length) return singly(conditional).map((turn) => ({ ...turn, isSuspect: true }))
  const half = Math.ceil(plain.length / 2)
  const shared = plain.length === questions.length ? [plain.slice(0, half), plain.slice(half)] : [plain, conditional]
  return [...shared.filter(({ length }) => length > 0).map((some) => ({ questions: some })), ...singly(own)]
}

const singly = (questions: readonly Question[]): Turn[] => questions.map((question) => ({ questions: [question] }))

const piecesOf = (questions: readonly Question[]): Question[][] =>
  Array.from({ length: Math.ceil(questions.length / RULES_AT_ONCE) }, (_, at) =>
    questions.slice(at * RULES_AT_ONCE, (at + 1) * RULES_AT_ONCE)
  )

/** What is still to be asked, the cheapest first. */
export class Turns {
  #waiting: Turn[] = []

  add(turns: readonly Turn[]): void {
    this.#waiting = [...this.#waiting, ...turns.filter(({ questions, learns }) => questions.length > 0 || learns)].sort(
      (a, b) => placeOf(a) - placeOf(b)
    )
  }

  take(): Turn | undefined {
    return this.#waiting.shift()
  }

  /** How many rules are still to be asked; those that have had their time come last, and get what the others leave. */
  rulesBeside({ hadMs = 0 }: Turn): number {
    const others = hadMs > 0 ? this.#waiting : this.#waiting.filter((turn) => turn.hadMs === undefined)
    return others.reduce((sum, turn) => sum + rulesIn(turn).length, 0)
  }
}

export const rulesIn = ({ questions, learns }: Turn): Asked[] =>
  learns === undefined ? questions.map(({ rule }) => rule) : [learns]

function placeOf({ questions, learns, isFirst = false, isSuspect = false, hadMs = 0 }: Turn): number {
  if (hadMs > 0) return LAST
  if (isFirst) return FIRST
  if (isSuspect) return RANKS.free
  return learns === undefined ? Math.max(...questions.map(rankOf)) : RANKS.baseline
}
