import { change, perform, type Route, read } from '../../../http/route.ts'
import { ChannelParams } from '../channels/schema.ts'
import { Delivery, DeliveryPage, DeliveryParams, DeliveryQuery, WholeDelivery } from './schema.ts'
import type { Deliveries } from './service.ts'

export function deliveryRoutes(deliveries: Deliveries): Route[] {
  return [
    read(
      {
        path: '/alerts/deliveries',
        operationId: 'listAlertDeliveries',
        summary: 'List what was sent to channels, the newest first',
        description: 'Each is one message to one channel, with all attempts at sending it. They are kept for 30 days.',
        permission: 'alerts:read',
        query: DeliveryQuery,
        answer: DeliveryPage
      },
      ({ query }) => deliveries.list(query)
    ),
    read(
      {
        path: '/alerts/deliveries/:id',
        operationId: 'getAlertDelivery',
        summary: 'Get one message with its text, its alerts and all attempts',
        permission: 'alerts:read',
        params: DeliveryParams,
        answer: WholeDelivery
      },
      ({ params }) => deliveries.get(params.id)
    ),
    change(
      {
        method: 'POST',
        path: '/alerts/deliveries/:id/replay',
        operationId: 'replayAlertDelivery',
        summary: 'Send a message once more',
        description: 'The same words, to the channel as it is now, as a delivery of its own.',
        permission: 'alerts:write',
        audit: 'alert-delivery.replay',
        status: 201,
        params: DeliveryParams,
        answer: Delivery,
        errors: ['illegal_transition', 'channel_deleted']
      },
      ({ tx, params }) => deliveries.replay(tx, params.id)
    ),
    perform(
      {
        method: 'POST',
        path: '/alerts/channels/:id/test',
        operationId: 'testAlertChannel',
        summary: 'Send a message about an invented alert to a channel',
        description:
          'It goes the way of all messages, but is tried once. The answer comes when that is done, with the status 200 whatever came of it: `state` and the attempt tell. Another member of the channel reads it too.',
        permission: 'alerts:write',
        audit: 'alert-channel.test',
        params: ChannelParams,
        answer: WholeDelivery
      },
      ({ params }) => deliveries.test(params.id)
    )
  ]
}
