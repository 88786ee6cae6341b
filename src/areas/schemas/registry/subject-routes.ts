import { change, type Outcome, type Route, read, StreamAnswer } from '../../../http/route.ts'
import { Type } from '../../../http/type.ts'
import { asJson, type Lists } from './lists.ts'
import { REGISTRY_TYPE } from './manners.ts'
import { subjectOf, versionOf } from './names.ts'
import {
  AnyQuery,
  BySubject,
  ByVersion,
  DeletedQuery,
  DeleteQuery,
  isOn,
  SubjectsQuery,
  VersionsQuery
} from './query.ts'
import { rawAnswer } from './raw-answer.ts'
import type { Removals } from './removals.ts'
import { Names, Numbers, Raw, RegistrySchema } from './schema.ts'
import type { Which } from './store.ts'
import type { Subjects } from './subjects.ts'

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
