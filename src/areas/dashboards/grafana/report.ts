import { shortened } from './reading.ts'

export const OUTCOMES = ['taken', 'partly', 'left out'] as const
export type Outcome = (typeof OUTCOMES)[number]

export interface PanelReport {
  readonly title: string
  readonly grafanaType: string
  /** What the panel is called on the dashboard here; null where it was left out. */
  readonly id: string | null
  readonly outcome: Outcome
  readonly notes: readonly string[]
}

export interface VariableReport {
  readonly name: string
  readonly outcome: Outcome
  readonly notes: readonly string[]
}

/** What was taken of a dashboard of Grafana, what was left out, and why. */
export interface ImportReport {
  readonly panels: readonly PanelReport[]
  readonly variables: readonly VariableReport[]
  /** Everything that belongs to no panel and no variable. */
  readonly dashboard: readonly string[]
}

const MAX_NOTES = 50
const MAX_NOTE_CHARS = 500

/** Sentences about one thing, each of them once. */
export class Notes {
  readonly #said = new Set<string>()

  add(...notes: readonly string[]): void {
    for (const note of notes) {
      if (this.#said.size < MAX_NOTES) this.#said.add(shortened(note, MAX_NOTE_CHARS))
    }
  }

  /** The text, cut to what there is room for, which is told. */
  cut(text: string, maxChars: number, what: string): string {
    if (text.length <= maxChars) return text
    this.add(`${what} is cut after ${maxChars} characters.`)
    return shortened(text, maxChars)
  }

  list(): string[] {
    return [...this.#said]
  }

  /** `taken` where there is nothing to tell. */
  outcome(): Outcome {
    return this.#said.size === 0 ? 'taken' : 'partly'
  }
}
