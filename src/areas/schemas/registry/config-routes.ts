import { change, type Route, read } from '../../../http/route.ts'
import { COMPATIBILITY_MODES, type CompatibilityMode } from '../schema.ts'
import { subjectOf } from './names.ts'
import { AnyQuery, BySubject, isOn, ScopeQuery } from './query.ts'
import { invalidCompatibility } from './refusals.ts'
import { Config, ConfigEcho, ConfigRequest } from './schema.ts'
import type { Settings } from './settings.ts'

const BEFORE_ANYTHING_WAS_SET = 'BACKWARD'

export function configRoutes(settings: Settings): Route[] {
  return [
    read(
      {
        path: '/config',
        operationId: 'registryGetConfig',
        summary: 'Get the compatibility of subjects that have none of their own',
        permission: 'schemas:read',
        query: AnyQuery,
        answer: Config,
        madeFrom: ['schema_settings']
      },
      async () => ({ compatibilityLevel: (await settings.all()).compatibility })
    ),
    change(
      {
        method: 'PUT',
        path: '/config',
        operationId: 'registrySetConfig',
        summary: 'Set the compatibility of subjects that have none of their own',
        permission: 'schemas:admin',
        audit: 'schema-settings.update',
        query: AnyQuery,
        body: ConfigRequest,
        answer: ConfigEcho,
        errors: ['unprocessable']
      },
      async ({ tx, body }) => {
        const compatibility = levelOf(body.compatibility)
        const { changes } = await settings.setAll(tx, { compatibility })
        return { answer: { compatibility }, changes }
      }
    ),
    change(
      {
        method: 'DELETE',
        path: '/config',
        operationId: 'registryResetConfig',
        summary: 'Set the compatibility of subjects that have none of their own back to BACKWARD',
        description: 'Answers what it was.',
        permission: 'schemas:admin',
        audit: 'schema-settings.update',
        status: 200,
        query: AnyQuery,
        answer: Config,
        errors: ['unprocessable']
      },
      async ({ tx }) => {
        const { before, changes } = await settings.setAll(tx, { compatibility: BEFORE_ANYTHING_WAS_SET })
        return { answer: { compatibilityLevel: before.compatibility }, changes }
      }
    ),
    ...subjectConfigRoutes(settings)
  ]
}

function subjectConfigRoutes(settings: Settings): Route[] {
  return [
    read(
      {
        path: '/config/:subject',
        operationId: 'registryGetSubjectConfig',
        summary: 'Get the compatibility of a subject',
        permission: 'schemas:read',
        params: BySubject,
        query: ScopeQuery,
        answer: Config,
        errors: ['unprocessable'],
        madeFrom: ['schemas', 'schema_settings']
      },
      async ({ params, query }) => {
        const subject = subjectOf(params.subject)
        return { compatibilityLevel: await settings.compatibility(subject, isOn(query.defaultToGlobal)) }
      }
    ),
    change(
      {
        method: 'PUT',
        path: '/config/:subject',
        operationId: 'registrySetSubjectConfig',
        summary: 'Set the compatibility of a subject, which need not be there yet',
        permission: 'schemas:write',
        audit: 'schema.update',
        params: BySubject,
        query: AnyQuery,
        body: ConfigRequest,
        answer: ConfigEcho,
        errors: ['unprocessable']
      },
      async ({ tx, actor, params, body }) => {
        const compatibility = levelOf(body.compatibility)
        const { changes } = await settings.setCompatibility(tx, actor, subjectOf(params.subject), compatibility)
        return { answer: { compatibility }, changes }
      }
    ),
    change(
      {
        method: 'DELETE',
        path: '/config/:subject',
        operationId: 'registryResetSubjectConfig',
        summary: 'Let a subject have the compatibility of the registry again',
        description: 'Answers what it was.',
        permission: 'schemas:write',
        audit: 'schema.update',
        status: 200,
        params: BySubject,
        query: AnyQuery,
        answer: Config,
        errors: ['unprocessable']
      },
      async ({ tx, params }) => {
        const { answer, changes } = await settings.clear(tx, subjectOf(params.subject), 'compatibility')
        return { answer: { compatibilityLevel: answer }, changes }
      }
    )
  ]
}

function levelOf(text: string | null | undefined): CompatibilityMode {
  const level = COMPATIBILITY_MODES.find((mode) => mode === text?.toUpperCase())
  if (level === undefined) throw invalidCompatibility(COMPATIBILITY_MODES)
  return level
}
