import { change, type Route, read } from '../../../http/route.ts'
import { COMPATIBILITY_MODES, type CompatibilityMode, type RegistryMode } from '../schema.ts'
import { subjectOf } from './forms.ts'
import { invalidCompatibility, invalidMode } from './manners.ts'
import {
  AnyQuery,
  BySubject,
  Config,
  ConfigEcho,
  ConfigRequest,
  ForceQuery,
  isOn,
  Mode,
  ModeRequest,
  ScopeQuery
} from './schema.ts'
import { MODES, type Settings } from './settings.ts'

const FIRST_LEVEL = 'BACKWARD'

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
        const { before, changes } = await settings.setAll(tx, { compatibility: FIRST_LEVEL })
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

const FIRST_MODE = 'READWRITE'

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
        const { before, changes } = await settings.setAll(tx, { mode: FIRST_MODE })
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
