import type { Mask } from '../../../data/mask.ts'
import { parseReference } from '../../../data/reference.ts'
import { Problem } from '../../../errors.ts'
import type { Question } from './question.ts'
import type { Viewer } from './viewer.ts'

const NONE: ReadonlyMap<string, Mask> = new Map()

/** Throws where a viewer may not see what a question asks for; answers what has to be masked. */
export async function masksOf(viewer: Viewer, question: Question): Promise<ReadonlyMap<string, Mask>> {
  switch (question.kind) {
    case 'nothing':
      return NONE
    case 'points':
      viewer.requireRead({ scheme: 'series', owner: question.sourceId, path: '' })
      await requireNamed(viewer, question)
      return NONE
    case 'lineage':
      viewer.requireLineage()
      return NONE
    case 'sql':
      return masksOfRelations(viewer, question.relations)
  }
}

export function masksOfRelations(viewer: Viewer, relations: Readonly<Record<string, string>>) {
  for (const text of Object.values(relations)) {
    const reference = parseReference(text)
    if ('problem' in reference) throw new Problem('unprocessable', { detail: `The reference ${reference.problem}.` })
    viewer.requireRead(reference)
  }
  return viewer.masksFor(relations)
}

/** Those tags that a pattern stands for are known, and asked about, when they were found. */
async function requireNamed(viewer: Viewer, question: Extract<Question, { kind: 'points' }>): Promise<void> {
  const named = question.tags?.flatMap(({ text, isPattern }) => (isPattern ? [] : [text])) ?? []
  if (named.length > 0) await viewer.requireTags(question.sourceId, named)
}
