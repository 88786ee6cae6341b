import type { IncomingHttpHeaders } from 'node:http'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { change, type Route, read } from '../../../http/route.ts'
import type { Checks } from './checks.ts'
import { subjectOf, versionOf } from './names.ts'
import { BySubject, ByVersion, isOn, LookupQuery, RegisterQuery, VerboseQuery } from './query.ts'
import type { Registrations } from './registrations.ts'
import { CompatibilityResult, Registered, RegistrySchema, SchemaRequest } from './schema.ts'
import { guidOf, tagged, toSchema } from './view.ts'

interface Needs {
  readonly metadata: Metadata
  readonly registrations: Registrations
  readonly checks: Checks
}

const SCHEMA_ERRORS = [
  'unprocessable',
  'schema_reference_missing',
  'schema_too_complex',
  'schema_too_large',
  'overloaded'
] as const

/** Clients that fail at fields they don't know send no such header. */
const takesMore = (headers: IncomingHttpHeaders) => isOn(String(headers['confluent-accept-unknown-properties']))

export function registerRoutes({ metadata, registrations, checks }: Needs): Route[] {
  return [
    change(
      {
        method: 'POST',
        path: '/subjects/:subject/versions',
        operationId: 'registryRegister',
        summary: 'Register a schema under a subject, as clients of Confluent Schema Registry do',
        description:
          'It is held against the versions before it as the compatibility of the subject says. The same schema again, however it is written, is the version that it is already.',
        permission: 'schemas:write',
        audit: 'schema-version.create',
        params: BySubject,
        query: RegisterQuery,
        body: SchemaRequest,
        answer: Registered,
        errors: ['schema_incompatible', ...SCHEMA_ERRORS],
        tooLarge: 'schema_too_large',
        gather: ({ params, body }) => registrations.gather(subjectOf(params.subject), body)
      },
      async ({ tx, actor, params, body, headers, gathered }) => {
        const subject = subjectOf(params.subject)
        const { answer: version, changes } = await registrations.register(tx, actor, subject, body, gathered)
        if (!takesMore(headers)) return { answer: { id: version.content_id }, changes }
        return { answer: { ...tagged(await toSchema(tx, subject, version)), guid: guidOf(version) }, changes }
      }
    ),
    read(
      {
        method: 'POST',
        path: '/subjects/:subject',
        operationId: 'registryFindSchema',
        summary: 'Find the version of a subject that has a schema',
        permission: 'schemas:read',
        params: BySubject,
        query: LookupQuery,
        body: SchemaRequest,
        answer: RegistrySchema,
        errors: SCHEMA_ERRORS,
        tooLarge: 'schema_too_large'
      },
      async ({ params, query, body, headers }) => {
        const subject = subjectOf(params.subject)
        const found = await registrations.find(subject, body, isOn(query.deleted) ? 'any' : 'live')
        const answer = tagged(await toSchema(metadata.db, subject, found))
        return takesMore(headers) ? { ...answer, guid: guidOf(found) } : answer
      }
    ),
    ...checkRoutes(checks)
  ]
}

function checkRoutes(checks: Checks): Route[] {
  return [
    read(
      {
        method: 'POST',
        path: '/compatibility/subjects/:subject/versions/:version',
        operationId: 'registryCheckVersion',
        summary: 'Hold a schema against a version of a subject',
        permission: 'schemas:read',
        params: ByVersion,
        query: VerboseQuery,
        body: SchemaRequest,
        answer: CompatibilityResult,
        errors: SCHEMA_ERRORS,
        tooLarge: 'schema_too_large'
      },
      ({ params, query, body }) =>
        checks.one(subjectOf(params.subject), versionOf(params.version), body, isOn(query.verbose))
    ),
    read(
      {
        method: 'POST',
        path: '/compatibility/subjects/:subject/versions',
        operationId: 'registryCheckVersions',
        summary: 'Hold a schema against a subject as registering it would',
        permission: 'schemas:read',
        params: BySubject,
        query: VerboseQuery,
        body: SchemaRequest,
        answer: CompatibilityResult,
        errors: SCHEMA_ERRORS,
        tooLarge: 'schema_too_large'
      },
      ({ params, query, body }) => checks.all(subjectOf(params.subject), body, isOn(query.verbose))
    )
  ]
}
