import { change, type Route, read } from '../../../http/route.ts'
import type { RegistryMode } from '../schema.ts'
import { MODES } from './modes.ts'
import { subjectOf } from './names.ts'
import { AnyQuery, BySubject, ForceQuery, isOn, ScopeQuery } from './query.ts'
import { invalidMode } from './refusals.ts'
import { Mode, ModeRequest } from './schema.ts'
import type { Settings } from './settings.ts'

const BEFORE_ANYTHING_WAS_SET = 'READWRITE'

export function modeRoutes(settings: Settings): Route[] {
  return [
    read(
      {
        path: '/mode',
        operationId: 'registryGetMode',
        summary: 'Get the mode of subjects that have none of their own',
        permission: 'schemas:read',
        query: AnyQuery,
        answer: Mode,
        madeFrom: ['schema_settings']
      },
      async () => ({ mode: (await settings.all()).mode })
    ),
    change(
      {
        method: 'PUT',
        path: '/mode',
        operationId: 'registrySetMode',
        summary: 'Set the mode of subjects that have none of their own',
        description: '`READONLY_OVERRIDE` holds for the others too.',
        permission: 'schemas:admin',
        audit: 'schema-settings.update',
        query: ForceQuery,
        body: ModeRequest,
        answer: Mode,
        errors: ['unprocessable']
      },
      async ({ tx, query, body }) => {
        const mode = modeNamed(body.mode)
        const { changes } = await settings.setAll(tx, { mode }, isOn(query.force))
        return { answer: { mode }, changes }
      }
    ),
    change(
      {
        method: 'DELETE',
        path: '/mode',
        operationId: 'registryResetMode',
        summary: 'Set the mode of subjects that have none of their own back to READWRITE',
        description: 'Answers what it was.',
        permission: 'schemas:admin',
        audit: 'schema-settings.update',
        status: 200,
        query: AnyQuery,
        answer: Mode
      },
      async ({ tx }) => {
        const { before, changes } = await settings.setAll(tx, { mode: BEFORE_ANYTHING_WAS_SET })
        return { answer: { mode: before.mode }, changes }
      }
    ),
    ...subjectModeRoutes(settings)
  ]
}

function subjectModeRoutes(settings: Settings): Route[] {
  return [
    read(
      {
        path: '/mode/:subject',
        operationId: 'registryGetSubjectMode',
        summary: 'Get the mode of a subject',
        permission: 'schemas:read',
        params: BySubject,
        query: ScopeQuery,
        answer: Mode,
        errors: ['unprocessable'],
        madeFrom: ['schemas', 'schema_settings']
      },
      async ({ params, query }) => ({
        mode: await settings.mode(subjectOf(params.subject), isOn(query.defaultToGlobal))
      })
    ),
    change(
      {
        method: 'PUT',
        path: '/mode/:subject',
        operationId: 'registrySetSubjectMode',
        summary: 'Set the mode of a subject, which need not be there yet',
        permission: 'schemas:write',
        audit: 'schema.update',
        params: BySubject,
        query: ForceQuery,
        body: ModeRequest,
        answer: Mode,
        errors: ['unprocessable']
      },
      async ({ tx, actor, params, query, body }) => {
        const mode = modeNamed(body.mode)
        const { changes } = await settings.setMode(tx, actor, subjectOf(params.subject), mode, isOn(query.force))
        return { answer: { mode }, changes }
      }
    ),
    change(
      {
        method: 'DELETE',
        path: '/mode/:subject',
        operationId: 'registryResetSubjectMode',
        summary: 'Let a subject have the mode of the registry again',
        description: 'Answers what it was.',
        permission: 'schemas:write',
        audit: 'schema.update',
        status: 200,
        params: BySubject,
        query: AnyQuery,
        answer: Mode,
        errors: ['unprocessable']
      },
      async ({ tx, params }) => {
        const { answer, changes } = await settings.clear(tx, subjectOf(params.subject), 'mode')
        return { answer: { mode: answer }, changes }
      }
    )
  ]
}

function modeNamed(text: string | null | undefined): RegistryMode {
  const mode = MODES.find((mode) => mode === text?.toUpperCase())
  if (mode === undefined) throw invalidMode(MODES)
  return mode
}
