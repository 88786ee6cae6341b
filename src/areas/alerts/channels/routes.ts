import { etagOf } from '../../../http/etag.ts'
import { change, type Route, read, StatusAnswer } from '../../../http/route.ts'
import { Nothing } from '../../../http/schemas.ts'
import type { Wording } from './preview.ts'
import {
  Channel,
  ChannelCreate,
  ChannelPage,
  ChannelParams,
  ChannelQuery,
  ChannelTypes,
  ChannelUpdate,
  Preview,
  PreviewRequest
} from './schema.ts'
import type { AlertChannels } from './service.ts'

export function channelRoutes(channels: AlertChannels, wording: Wording): Route[] {
  return [
    read(
      {
        path: '/alerts/channels',
        operationId: 'listAlertChannels',
        summary: 'List channels, to which alerts are told',
        permission: 'alerts:read',
        query: ChannelQuery,
        answer: ChannelPage
      },
      ({ query }) => channels.list(query)
    ),
    read(
      {
        path: '/alerts/channels/types',
        operationId: 'listAlertChannelTypes',
        summary: 'List the types a channel can have, each with the schema of its configuration',
        permission: 'alerts:read',
        answer: ChannelTypes
      },
      () => channels.types()
    ),
    change(
      {
        method: 'POST',
        path: '/alerts/channels',
        operationId: 'createAlertChannel',
        summary: 'Make a channel for alerts',
        description: 'What is secret in its configuration is sealed, and never shown again.',
        permission: 'alerts:write',
        audit: 'alert-channel.create',
        status: 201,
        body: ChannelCreate,
        answer: Channel,
        errors: ['name_taken'],
        gather: ({ body }) => channels.prepareNew(body)
      },
      ({ tx, actor, body, gathered }) => channels.create(tx, actor, body, gathered)
    ),
    read(
      {
        method: 'POST',
        path: '/alerts/channels/preview',
        operationId: 'previewAlertChannel',
        summary: 'Show a message as templates make it',
        description: 'Nothing is kept or sent.',
        permission: 'alerts:read',
        body: PreviewRequest,
        answer: Preview
      },
      ({ body }) => wording.preview(body)
    ),
    read(
      {
        path: '/alerts/channels/:id',
        operationId: 'getAlertChannel',
        summary: 'Get one channel, without its secrets',
        permission: 'alerts:read',
        params: ChannelParams,
        answer: Channel
      },
      async ({ params }) => {
        const channel = await channels.get(params.id)
        // The version counts changes by people; the health changes without it, so the answer is never 304.
        return new StatusAnswer(200, channel, { etag: etagOf(channel) as string })
      }
    ),
    change(
      {
        method: 'PUT',
        path: '/alerts/channels/:id',
        operationId: 'updateAlertChannel',
        summary: 'Change a channel',
        description: 'What was held back, or is grouped in another way now, is looked at at once.',
        permission: 'alerts:write',
        audit: 'alert-channel.update',
        params: ChannelParams,
        body: ChannelUpdate,
        answer: Channel,
        errors: ['name_taken', 'secret_bound', 'stale_version'],
        gather: ({ params, body }) => channels.prepareChange(params.id, body)
      },
      ({ tx, params, body, gathered }) => channels.update(tx, params.id, body, gathered)
    ),
    change(
      {
        method: 'DELETE',
        path: '/alerts/channels/:id',
        operationId: 'deleteAlertChannel',
        summary: 'Delete a channel that no rule names',
        description: 'What was sent to it stays in the log.',
        permission: 'alerts:write',
        audit: 'alert-channel.delete',
        params: ChannelParams,
        answer: Nothing,
        errors: ['in_use']
      },
      ({ tx, params }) => channels.delete(tx, params.id)
    )
  ]
}
