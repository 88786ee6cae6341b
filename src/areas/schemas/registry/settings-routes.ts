import type { Db } from '../../../engines/metadata/index.ts'
import type { Actor } from '../../../http/permissions.ts'
import { change, type Outcome, type Route, read } from '../../../http/route.ts'
import type { Static, TSchema } from '../../../http/type.ts'
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

/** What can be set for the registry and for each subject, with the words that clients of the registry have for it. */
interface Setting<Value extends CompatibilityMode | RegistryMode> {
  readonly name: 'compatibility' | 'mode'
  readonly path: string
  /** What it is called in the names of operations. */
  readonly operation: string
  /** What the registry has until somebody sets another value, and gets back with `DELETE`. */
  readonly first: Value
  readonly request: TSchema
  readonly setQuery: TSchema
  /** Facts about operations that only one of the two settings has. */
  readonly ofSetting?: { readonly description: string }
  readonly ofReset?: { readonly errors: readonly ['unprocessable'] }
  /** Answers to whoever sets a value repeat it, in a form of their own. */
  readonly echo: TSchema
  readonly answer: TSchema
  toEcho(value: Value): object
  toAnswer(value: Value): object
  /** The value that the body of a request names; refuses any other. */
  valueIn(body: unknown): Value
  get(subject: string, orGlobal: boolean): Promise<Value>
  set(tx: Db, actor: Actor, subject: string, value: Value, force: boolean): Promise<Outcome<unknown>>
}

export function settingsRoutes(settings: Settings): Route[] {
  return [...routesOf(settings, compatibilitySetting(settings)), ...routesOf(settings, modeSetting(settings))]
}

function compatibilitySetting(settings: Settings): Setting<CompatibilityMode> {
  return {
    name: 'compatibility',
    path: '/config',
    operation: 'Config',
    first: 'BACKWARD',
    request: ConfigRequest,
    setQuery: AnyQuery,
    ofReset: { errors: ['unprocessable'] },
    echo: ConfigEcho,
    answer: Config,
    toEcho: (compatibility): Static<typeof ConfigEcho> => ({ compatibility }),
    toAnswer: (compatibilityLevel): Static<typeof Config> => ({ compatibilityLevel }),
    valueIn(body) {
      const { compatibility } = body as Static<typeof ConfigRequest>
      return named(compatibility, COMPATIBILITY_MODES, invalidCompatibility)
    },
    get: (subject, orGlobal) => settings.compatibility(subject, orGlobal),
    set: (tx, actor, subject, value) => settings.setCompatibility(tx, actor, subject, value)
  }
}

function modeSetting(settings: Settings): Setting<RegistryMode> {
  return {
    name: 'mode',
    path: '/mode',
    operation: 'Mode',
    first: 'READWRITE',
    request: ModeRequest,
    setQuery: ForceQuery,
    ofSetting: { description: '`READONLY_OVERRIDE` holds for the others too.' },
    echo: Mode,
    answer: Mode,
    toEcho: (mode): Static<typeof Mode> => ({ mode }),
    toAnswer: (mode): Static<typeof Mode> => ({ mode }),
    valueIn: (body) => named((body as Static<typeof ModeRequest>).mode, MODES, invalidMode),
    get: (subject, orGlobal) => settings.mode(subject, orGlobal),
    set: (tx, actor, subject, value, force) => settings.setMode(tx, actor, subject, value, force)
  }
}

function named<Value extends string>(
  text: string | null | undefined,
  values: readonly Value[],
  refusal: (values: readonly Value[]) => Error
): Value {
  const value = values.find((one) => one === text?.toUpperCase())
  if (value === undefined) throw refusal(values)
  return value
}

function routesOf<Value extends CompatibilityMode | RegistryMode>(
  settings: Settings,
  setting: Setting<Value>
): Route[] {
  return [...globalRoutes(settings, setting), ...subjectRoutes(settings, setting)]
}

function globalRoutes<Value extends CompatibilityMode | RegistryMode>(
  settings: Settings,
  setting: Setting<Value>
): Route[] {
  const { name, path, operation, request, setQuery, echo, answer, first } = setting
  return [
    read(
      {
        path,
        operationId: `registryGet${operation}`,
        summary: `Get the ${name} of subjects that have none of their own`,
        permission: 'schemas:read',
        query: AnyQuery,
        answer,
        madeFrom: ['schema_settings']
      },
      async () => setting.toAnswer((await settings.all())[name] as Value)
    ),
    change(
      {
        method: 'PUT',
        path,
        operationId: `registrySet${operation}`,
        summary: `Set the ${name} of subjects that have none of their own`,
        ...setting.ofSetting,
        permission: 'schemas:admin',
        audit: 'schema-settings.update',
        query: setQuery,
        body: request,
        answer: echo,
        errors: ['unprocessable']
      },
      async ({ tx, query, body }) => {
        const value = setting.valueIn(body)
        const { changes } = await settings.setAll(tx, { [name]: value }, isForced(query))
        return { answer: setting.toEcho(value), changes }
      }
    ),
    change(
      {
        method: 'DELETE',
        path,
        operationId: `registryReset${operation}`,
        summary: `Set the ${name} of subjects that have none of their own back to ${first}`,
        description: 'Answers what it was.',
        permission: 'schemas:admin',
        audit: 'schema-settings.update',
        status: 200,
        query: AnyQuery,
        answer,
        ...setting.ofReset
      },
      async ({ tx }) => {
        const { before, changes } = await settings.setAll(tx, { [name]: first })
        return { answer: setting.toAnswer(before[name] as Value), changes }
      }
    )
  ]
}

function subjectRoutes<Value extends CompatibilityMode | RegistryMode>(
  settings: Settings,
  setting: Setting<Value>
): Route[] {
  const { name, operation, request, setQuery, echo, answer } = setting
  const path = `${setting.path}/:subject`
  return [
    read(
      {
        path,
        operationId: `registryGetSubject${operation}`,
        summary: `Get the ${name} of a subject`,
        permission: 'schemas:read',
        params: BySubject,
        query: ScopeQuery,
        answer,
        errors: ['unprocessable'],
        madeFrom: ['schemas', 'schema_settings']
      },
      async ({ params, query }) =>
        setting.toAnswer(await setting.get(subjectOf(params.subject), isOn(query.defaultToGlobal)))
    ),
    change(
      {
        method: 'PUT',
        path,
        operationId: `registrySetSubject${operation}`,
        summary: `Set the ${name} of a subject, which need not be there yet`,
        permission: 'schemas:write',
        audit: 'schema.update',
        params: BySubject,
        query: setQuery,
        body: request,
        answer: echo,
        errors: ['unprocessable']
      },
      async ({ tx, actor, params, query, body }) => {
        const value = setting.valueIn(body)
        const { changes } = await setting.set(tx, actor, subjectOf(params.subject), value, isForced(query))
        return { answer: setting.toEcho(value), changes }
      }
    ),
    change(
      {
        method: 'DELETE',
        path,
        operationId: `registryResetSubject${operation}`,
        summary: `Let a subject have the ${name} of the registry again`,
        description: 'Answers what it was.',
        permission: 'schemas:write',
        audit: 'schema.update',
        status: 200,
        params: BySubject,
        query: AnyQuery,
        answer,
        errors: ['unprocessable']
      },
      async ({ tx, params }) => {
        const { answer: own, changes } = await settings.clear(tx, subjectOf(params.subject), name)
        return { answer: setting.toAnswer(own as Value), changes }
      }
    )
  ]
}

/** Whether whoever sets a value insists on it; the compatibility has no such parameter, and needs none. */
const isForced = (query: unknown): boolean => isOn((query as Static<typeof ForceQuery>).force)
