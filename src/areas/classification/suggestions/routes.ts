import { parseReference } from '../../../data/reference.ts'
import { invalidField } from '../../../errors.ts'
import { withData } from '../../../http/data-problems.ts'
import { requireRead } from '../../../http/data-rights.ts'
import type { Actor } from '../../../http/permissions.ts'
import { change, type Route, read } from '../../../http/route.ts'
import type { Guard } from '../clearance/guard.ts'
import { LABEL_TABLES } from '../clearance/labels.ts'
import type { Scans } from './scans.ts'
import {
  Acceptance,
  DEFAULT_SAMPLE_ROWS,
  Kind,
  KindList,
  KindParams,
  KindUpdate,
  Rejection,
  ScanAnswer,
  ScanOrder,
  ScanPage,
  ScanQuery,
  Suggestion,
  SuggestionPage,
  SuggestionParams,
  SuggestionQuery
} from './schema.ts'
import type { Suggestions } from './service.ts'

interface Needs {
  readonly suggestions: Suggestions
  readonly scans: Scans
  readonly guard: Guard
  readonly ending: AbortSignal
}

export function suggestionRoutes(needs: Needs): Route[] {
  const { suggestions } = needs
  return [...scanRoutes(needs), ...decisionRoutes(suggestions), ...kindRoutes(suggestions)]
}

function scanRoutes({ suggestions, scans, guard, ending }: Needs): Route[] {
  async function look(actor: Actor, { resource, sample = DEFAULT_SAMPLE_ROWS }: ScanOrder) {
    const reference = parseReference(resource)
    if ('problem' in reference) throw invalidField('/resource', reference.problem)
    requireRead(actor, reference)
    // What is suggested tells what is in the data.
    await guard.requireAll(actor, [reference])
    return withData(() => scans.look({ resource, rows: sample, signal: ending }))
  }
  return [
    change(
      {
        method: 'POST',
        path: '/classification/suggestions',
        operationId: 'suggestClassification',
        summary: 'Look at a sample of some data, and suggest levels for columns with sensitive values',
        description:
          'Takes the right to read the data, too. What was decided before stays as it is; open suggestions are brought up to date, and taken back where the kind is not found again.',
        permission: 'classification:write',
        audit: 'classification-suggestion.sample',
        body: ScanOrder,
        answer: ScanAnswer,
        errors: [
          'above_clearance',
          'query_timeout',
          'overloaded',
          'store_failed',
          'dependency_unavailable',
          'unprocessable',
          'series_url_missing'
        ],
        gather: ({ actor, body }) => look(actor, body)
      },
      ({ tx, body, gathered }) => scans.keep(tx, { resource: body.resource, cause: 'hand' }, gathered)
    ),
    read(
      {
        path: '/classification/scans',
        operationId: 'listClassificationScans',
        summary: 'List which data were looked at, when, and what went wrong',
        permission: 'classification:read',
        query: ScanQuery,
        answer: ScanPage,
        madeFrom: ['classification_scans', ...LABEL_TABLES]
      },
      ({ actor, query }) => suggestions.listScans(actor, query)
    )
  ]
}

function decisionRoutes(suggestions: Suggestions): Route[] {
  return [
    read(
      {
        path: '/classification/suggestions',
        operationId: 'listClassificationSuggestions',
        summary: 'List what detectors have suggested, and what became of it',
        permission: 'classification:read',
        query: SuggestionQuery,
        answer: SuggestionPage,
        madeFrom: ['classification_suggestions']
      },
      ({ query }) => suggestions.list(query)
    ),
    read(
      {
        path: '/classification/suggestions/:id',
        operationId: 'getClassificationSuggestion',
        summary: 'Get one suggestion',
        permission: 'classification:read',
        params: SuggestionParams,
        answer: Suggestion,
        madeFrom: ['classification_suggestions']
      },
      ({ params }) => suggestions.get(params.id)
    ),
    change(
      {
        method: 'POST',
        path: '/classification/suggestions/:id/accept',
        operationId: 'acceptClassificationSuggestion',
        summary: 'Give the column the level that is suggested, or another one',
        description:
          'A stricter level that the column has already stays, unless the body names one. A rejected suggestion can be accepted after all.',
        permission: 'classification:write',
        audit: 'classification-suggestion.accept',
        params: SuggestionParams,
        body: Acceptance,
        answer: Suggestion,
        errors: ['illegal_transition', 'above_clearance']
      },
      ({ tx, actor, params, body }) => suggestions.accept(tx, actor, params.id, body)
    ),
    change(
      {
        method: 'POST',
        path: '/classification/suggestions/:id/reject',
        operationId: 'rejectClassificationSuggestion',
        summary: 'Say that the column holds no such data',
        description:
          'The kind is not suggested for this column again, and with less confidence for columns of other data with the same name. One that was accepted can be rejected: the level that it gave goes with it, unless that was changed since.',
        permission: 'classification:write',
        audit: 'classification-suggestion.reject',
        params: SuggestionParams,
        body: Rejection,
        answer: Suggestion,
        errors: ['illegal_transition']
      },
      ({ tx, actor, params, body }) => suggestions.reject(tx, actor, params.id, body)
    )
  ]
}

function kindRoutes(suggestions: Suggestions): Route[] {
  return [
    read(
      {
        path: '/classification/kinds',
        operationId: 'listClassificationKinds',
        summary: 'List the kinds of data that detectors find, with the level that each suggests',
        permission: 'classification:read',
        answer: KindList,
        madeFrom: ['classification_kinds']
      },
      () => suggestions.listKinds()
    ),
    change(
      {
        method: 'PUT',
        path: '/classification/kinds/:kind',
        operationId: 'updateClassificationKind',
        summary: 'Change the level that a kind of data suggests, or no longer suggest it',
        description:
          'Open suggestions of the kind get the new level; those of a kind that is disabled are taken back by the next look.',
        permission: 'classification:admin',
        audit: 'classification-kind.update',
        params: KindParams,
        body: KindUpdate,
        answer: Kind
      },
      ({ tx, params, body }) => suggestions.updateKind(tx, params.kind, body)
    )
  ]
}
