import type { IncomingHttpHeaders } from 'node:http'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { change, type Outcome, type Route, read, StreamAnswer } from '../../../http/route.ts'
import { Type } from '../../../http/type.ts'
import type { Checks } from './checks.ts'
import { guidOf, subjectOf, toSchema, versionOf, withRevision } from './forms.ts'
import { REGISTRY_TYPE, rawAnswer } from './manners.ts'
import type { Registrations, Removals } from './registrations.ts'
import {
  AnyQuery,
  BySubject,
  ByVersion,
  CompatibilityResult,
  DeletedQuery,
  DeleteQuery,
  isOn,
  LookupQuery,
  Names,
  Numbers,
  Raw,
  Registered,
  RegisterQuery,
  RegistrySchema,
  SchemaRequest,
  SubjectsQuery,
  VerboseQuery,
  VersionsQuery
} from './schema.ts'
import type { Which } from './store.ts'
import { asJson, type Lists, type Subjects } from './subjects.ts'

interface Needs {
  readonly subjects: Subjects
  readonly lists: Lists
  readonly removals: Removals
}

const whichOf = ({ deleted, deletedOnly }: { deleted?: string; deletedOnly?: string }): Which =>
  isOn(deletedOnly) ? 'deleted' : isOn(deleted) ? 'any' : 'live'

const DELETE_ERRORS = ['unprocessable'] as const

export function subjectRoutes({ subjects, lists, removals }: Needs): Route[] {
  return [
    read(
      {
        path: '/subjects',
        operationId: 'registryListSubjects',
        summary: 'List the subjects, as clients of Confluent Schema Registry do',
        description: 'All of them where no `limit` is given: the list is sent while it is read, however long it is.',
        permission: 'schemas:read',
        query: SubjectsQuery,
        answer: Names
      },
      ({ query }) => new StreamAnswer(REGISTRY_TYPE, asJson(lists.subjects(query, whichOf(query))))
    ),
    change(
      {
        method: 'DELETE',
        path: '/subjects/:subject',
        operationId: 'registryDeleteSubject',
        summary: 'Delete a subject, so that it can be restored; or for good',
        description: 'Answers the versions that were deleted. What was set for the subject goes with it.',
        permission: 'schemas:write',
        audit: 'schema.delete',
        status: 200,
        params: BySubject,
        query: DeleteQuery,
        answer: Numbers,
        errors: DELETE_ERRORS
      },
      ({ tx, params, query }): Promise<Outcome<number[]>> => {
        const subject = subjectOf(params.subject)
        return isOn(query.permanent) ? removals.subjectForGood(tx, subject) : removals.subject(tx, subject)
      }
    ),
    read(
      {
        path: '/subjects/:subject/versions',
        operationId: 'registryListVersions',
        summary: 'List the versions of a subject',
        permission: 'schemas:read',
        params: BySubject,
        query: VersionsQuery,
        answer: Numbers,
        errors: ['unprocessable']
      },
      ({ params, query }) => subjects.versions(subjectOf(params.subject), whichOf(query))
    ),
    ...versionRoutes({ subjects, removals })
  ]
}

function versionRoutes({ subjects, removals }: Pick<Needs, 'subjects' | 'removals'>): Route[] {
  return [
    read(
      {
        path: '/subjects/:subject/versions/:version',
        operationId: 'registryGetVersion',
        summary: 'Get a version of a subject',
        permission: 'schemas:read',
        params: ByVersion,
        query: DeletedQuery,
        answer: RegistrySchema,
        errors: ['unprocessable'],
        madeFrom: ['schemas', 'schema_versions', 'schema_contents']
      },
      ({ params, query }) =>
        subjects.version(subjectOf(params.subject), versionOf(params.version), isOn(query.deleted) ? 'any' : 'live')
    ),
    change(
      {
        method: 'DELETE',
        path: '/subjects/:subject/versions/:version',
        operationId: 'registryDeleteVersion',
        summary: 'Delete a version of a subject, so that it can be restored; or for good',
        description: 'Its schema can still be found by its id, unless it is deleted for good and nowhere else.',
        permission: 'schemas:write',
        audit: 'schema-version.delete',
        status: 200,
        params: ByVersion,
        query: DeleteQuery,
        answer: Type.Integer({ description: 'The version' }),
        errors: DELETE_ERRORS
      },
      ({ tx, params, query }): Promise<Outcome<number>> => {
        const [subject, version] = [subjectOf(params.subject), versionOf(params.version)]
        return isOn(query.permanent)
          ? removals.versionForGood(tx, subject, version)
          : removals.version(tx, subject, version)
      }
    ),
    read(
      {
        path: '/subjects/:subject/versions/:version/schema',
        operationId: 'registryGetVersionText',
        summary: 'Get the text of a version of a subject',
        permission: 'schemas:read',
        params: ByVersion,
        query: DeletedQuery,
        answer: Raw,
        errors: ['unprocessable']
      },
      async ({ params, query }) => {
        const which = isOn(query.deleted) ? 'any' : 'live'
        const { schema } = await subjects.version(subjectOf(params.subject), versionOf(params.version), which)
        return rawAnswer(schema)
      }
    ),
    read(
      {
        path: '/subjects/:subject/versions/:version/referencedby',
        operationId: 'registryListReferences',
        summary: 'List the ids of the schemas that refer to a version',
        permission: 'schemas:read',
        params: ByVersion,
        query: AnyQuery,
        answer: Numbers,
        errors: ['unprocessable']
      },
      ({ params }) => subjects.users(subjectOf(params.subject), versionOf(params.version))
    )
  ]
}

interface RegisterNeeds {
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

/** Whether the client accepts fields it does not know. Older clients fail at them, and don't send the header. */
const acceptsUnknownFields = (headers: IncomingHttpHeaders) =>
  isOn(String(headers['confluent-accept-unknown-properties']))

export function registerRoutes({ metadata, registrations, checks }: RegisterNeeds): Route[] {
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
        if (!acceptsUnknownFields(headers)) return { answer: { id: version.content_id }, changes }
        return { answer: { ...withRevision(await toSchema(tx, subject, version)), guid: guidOf(version) }, changes }
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
        const answer = withRevision(await toSchema(metadata.db, subject, found))
        return acceptsUnknownFields(headers) ? { ...answer, guid: guidOf(found) } : answer
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
