import type { Db } from '../../../../engines/metadata/index.ts'
import { Pass, type PassNeeds } from '../../evaluation/pass.ts'
import type { Asked } from '../../evaluation/question.ts'
import { readDefinition } from '../../rules/definition.ts'
import type { RuleConfig } from '../../rules/schema.ts'
import { allRulesOf, takenNames } from '../../rules/store.ts'
import type { RuleType } from '../../words.ts'
import type { Told } from '../reading.ts'
import type { ProfileOrder, Suggestion } from '../schema.ts'
import type { Candidate } from './candidate.ts'
import { candidatesOf } from './candidates.ts'
import { freeNames, nameOf } from './names.ts'

const MAX_SUGGESTIONS = 200

/** Rules that the profile speaks for, that there are none like yet, and that all of the data keep: an evaluation says so. */
export async function suggestionsFor(
  needs: PassNeeds & { readonly db: Db },
  { dataset, where, sample }: ProfileOrder,
  told: Told,
  signal: AbortSignal
): Promise<Suggestion[]> {
  const { db, clock } = needs
  const existing = new Set(
    (await allRulesOf(db, dataset)).map((row) => questionOf(row.type, readDefinition(row).config))
  )
  const candidates = candidatesOf(told, sample !== undefined, clock.now())
    .filter(({ type, config }) => !existing.has(questionOf(type, config)))
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, MAX_SUGGESTIONS)
    .map((candidate) => ({ ...candidate, config: { ...candidate.config, ...(where !== undefined && { where }) } }))
  const kept = await keptBy(needs, dataset, candidates, signal)
  const names = await namesFor(db, dataset, kept)
  return kept.map(({ type, config, evidence, confidence }, at) => ({
    rule: { name: names[at] as string, dataset, type, config },
    evidence,
    confidence
  }))
}

/** Two rules of a type about the same columns ask the same, with other bounds at most. */
const questionOf = (type: RuleType, { column, columns = [] }: RuleConfig): string =>
  JSON.stringify([type, ...[...(column === undefined ? [] : [column]), ...columns].map((name) => name.toLowerCase())])

async function keptBy(
  needs: PassNeeds,
  dataset: string,
  candidates: readonly Candidate[],
  signal: AbortSignal
): Promise<Candidate[]> {
  if (candidates.length === 0) return []
  const asked = candidates.map(
    ({ type, config }, at): Asked => ({
      id: String(at),
      type,
      config,
      warnThreshold: null,
      failThreshold: null,
      on: []
    })
  )
  const outcomes = await new Pass(needs, dataset, signal).run(asked)
  return candidates.filter((_, at) => outcomes.get(String(at))?.status === 'passed')
}

function namesFor(db: Db, dataset: string, candidates: readonly Candidate[]): Promise<string[]> {
  return freeNames(
    candidates.map(({ words }) => nameOf(words, dataset)),
    (names) => takenNames(db, names)
  )
}
