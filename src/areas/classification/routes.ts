import type { Actor } from '../../http/permissions.ts'
import { change, type Route, read } from '../../http/route.ts'
import { Nothing } from '../../http/schemas.ts'
import {
  LabelledResource,
  type LabelWarning,
  Level,
  LevelCreate,
  LevelPage,
  LevelParams,
  LevelQuery,
  LevelUpdate,
  Resource,
  ResourcePage,
  ResourceParams,
  ResourceQuery,
  ResourceTag
} from './schema.ts'
import type { Classification } from './service.ts'

/** Looks at the data that a label is for; answers what is hardly meant about it. */
type LookAt = (actor: Actor, body: ResourceTag) => Promise<LabelWarning[]>

export function classificationRoutes(classification: Classification, lookAt: LookAt): Route[] {
  return [...levelRoutes(classification), ...resourceRoutes(classification, lookAt)]
}

function levelRoutes(classification: Classification): Route[] {
  return [
    read(
      {
        path: '/classification/levels',
        operationId: 'listClassificationLevels',
        summary: 'List the classification levels, least strict first',
        permission: 'classification:read',
        query: LevelQuery,
        answer: LevelPage,
        madeFrom: ['classification_levels']
      },
      ({ query }) => classification.listLevels(query)
    ),
    change(
      {
        method: 'POST',
        path: '/classification/levels',
        operationId: 'createClassificationLevel',
        summary: 'Add a classification level',
        permission: 'classification:admin',
        audit: 'classification-level.create',
        status: 201,
        body: LevelCreate,
        answer: Level,
        errors: ['name_taken']
      },
      ({ tx, body }) => classification.createLevel(tx, body)
    ),
    change(
      {
        method: 'PUT',
        path: '/classification/levels/:id',
        operationId: 'updateClassificationLevel',
        summary:
          'Change the rank or the description of a classification level, or what it means to those without clearance',
        description: 'The name stays: resources and programs refer to the level by it.',
        permission: 'classification:admin',
        audit: 'classification-level.update',
        params: LevelParams,
        body: LevelUpdate,
        answer: Level,
        errors: ['name_taken']
      },
      ({ tx, params, body }) => classification.updateLevel(tx, params.id, body)
    ),
    change(
      {
        method: 'DELETE',
        path: '/classification/levels/:id',
        operationId: 'deleteClassificationLevel',
        summary: 'Remove a classification level that nothing has and that is no clearance',
        permission: 'classification:admin',
        audit: 'classification-level.delete',
        params: LevelParams,
        answer: Nothing,
        errors: ['in_use']
      },
      ({ tx, params }) => classification.deleteLevel(tx, params.id)
    )
  ]
}

function resourceRoutes(classification: Classification, lookAt: LookAt): Route[] {
  return [
    read(
      {
        path: '/classification/resources',
        operationId: 'listClassifiedResources',
        summary: 'List what has been classified',
        permission: 'classification:read',
        query: ResourceQuery,
        answer: ResourcePage,
        madeFrom: ['classification_resources']
      },
      ({ query }) => classification.listResources(query)
    ),
    change(
      {
        method: 'POST',
        path: '/classification/resources',
        operationId: 'classifyResource',
        summary: 'Give a resource, or some of its columns, a classification level',
        description:
          'Answers 201 for a resource that had no level, and 200 where it replaces the one it had. What is not there yet can have one too: `warnings` tells of columns that the data do not have now, where the caller may see all of them.',
        permission: 'classification:write',
        audit: 'classification.tag',
        status: 201,
        otherStatuses: [200],
        body: ResourceTag,
        answer: LabelledResource,
        errors: ['above_clearance'],
        gather: ({ actor, body }) => lookAt(actor, body)
      },
      async ({ tx, actor, body, gathered: warnings }) => {
        const { answer, ...rest } = await classification.tag(tx, actor, body)
        return { ...rest, answer: { ...answer, warnings } }
      }
    ),
    read(
      {
        path: '/classification/resources/:id',
        operationId: 'getClassifiedResource',
        summary: 'Get one classification',
        permission: 'classification:read',
        params: ResourceParams,
        answer: Resource,
        madeFrom: ['classification_resources']
      },
      ({ params }) => classification.getResource(params.id)
    ),
    change(
      {
        method: 'DELETE',
        path: '/classification/resources/:id',
        operationId: 'unclassifyResource',
        summary: 'Take a classification away',
        permission: 'classification:write',
        audit: 'classification.untag',
        params: ResourceParams,
        answer: Nothing,
        errors: ['above_clearance']
      },
      ({ tx, actor, params }) => classification.untag(tx, actor, params.id)
    )
  ]
}
