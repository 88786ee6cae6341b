import { bareList } from '../../http/paging.ts'
import { change, perform, type Route, read } from '../../http/route.ts'
import { Nothing } from '../../http/schemas.ts'
import {
  Provider,
  ProviderCreate,
  ProviderList,
  ProviderParams,
  ProviderQuery,
  ProviderTest,
  ProviderTypes,
  ProviderUpdate,
  SettingsTest,
  TestResult
} from './schema.ts'
import type { Storage } from './service.ts'
import { PROVIDER_TYPES } from './settings.ts'

export function storageRoutes(storage: Storage): Route[] {
  return [
    read(
      {
        path: '/storage/providers',
        operationId: 'listStorageProviders',
        summary: 'List storage providers',
        description: 'A bare array; how many there are is in `X-Total-Count`, the next page in `Link`.',
        permission: 'storage:read',
        query: ProviderQuery,
        answer: ProviderList
      },
      async ({ query }) => {
        const { providers, ...page } = await storage.list(query)
        return bareList('/api/storage/providers', query, providers, page)
      }
    ),
    read(
      {
        path: '/storage/providers/types',
        operationId: 'listStorageProviderTypes',
        summary: 'List the types a storage provider can have',
        permission: 'storage:read',
        answer: ProviderTypes
      },
      () => [...PROVIDER_TYPES]
    ),
    change(
      {
        method: 'POST',
        path: '/storage/providers',
        operationId: 'createStorageProvider',
        summary: 'Add a storage provider',
        description: 'Credentials are sealed, and never shown again.',
        permission: 'storage:admin',
        audit: 'storage-provider.create',
        status: 201,
        body: ProviderCreate,
        answer: Provider,
        errors: ['name_taken']
      },
      ({ tx, body }) => storage.create(tx, body)
    ),
    read(
      {
        path: '/storage/providers/:id',
        operationId: 'getStorageProvider',
        summary: 'Get one storage provider, without its credentials',
        permission: 'storage:read',
        params: ProviderParams,
        answer: Provider
      },
      ({ params }) => storage.get(params.id)
    ),
    change(
      {
        method: 'PUT',
        path: '/storage/providers/:id',
        operationId: 'updateStorageProvider',
        summary: 'Change a storage provider',
        description: 'Making it the default takes that from the one that was.',
        permission: 'storage:admin',
        audit: 'storage-provider.update',
        params: ProviderParams,
        body: ProviderUpdate,
        answer: Provider,
        errors: ['name_taken', 'provider_type_immutable', 'provider_is_default', 'provider_built_in', 'secret_bound']
      },
      ({ tx, params, body }) => storage.update(tx, params.id, body)
    ),
    change(
      {
        method: 'DELETE',
        path: '/storage/providers/:id',
        operationId: 'deleteStorageProvider',
        summary: 'Remove a storage provider',
        description: 'What it stores stays where it is. The default, and one that holds buckets, can’t be removed.',
        permission: 'storage:admin',
        audit: 'storage-provider.delete',
        params: ProviderParams,
        answer: Nothing,
        errors: ['provider_is_default', 'provider_in_use', 'provider_built_in']
      },
      ({ tx, params }) => storage.delete(tx, params.id)
    ),
    perform(
      {
        method: 'POST',
        path: '/storage/providers/:id/test',
        operationId: 'testStorageProvider',
        summary: 'Test what a storage provider can do',
        description: `${ABOUT_TESTS} The result is kept as the provider’s \`lastTest\`.`,
        permission: 'storage:admin',
        audit: 'storage-provider.test',
        params: ProviderParams,
        body: ProviderTest,
        answer: TestResult
      },
      ({ params, body }) => storage.trials.ofProvider(params.id, body?.bucket)
    ),
    perform(
      {
        method: 'POST',
        path: '/storage/providers/test',
        operationId: 'testStorageProviderSettings',
        summary: 'Test settings before a storage provider is made from them',
        description: ABOUT_TESTS,
        permission: 'storage:admin',
        audit: 'storage-provider.test',
        body: SettingsTest,
        answer: TestResult
      },
      ({ body }) => storage.trials.ofSettings(body)
    )
  ]
}

const ABOUT_TESTS =
  'Tries one thing after the other with an object of its own, and removes it; takes a minute at most. The status is 200 whatever comes out: `success` tells whether the platform can work with the store, each check has a stable `code`, and what is missing is named. Uploads in parts, conditional writes and links are tried, but not needed. Buckets are neither listed nor asked for.'
