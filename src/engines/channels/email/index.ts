import { answerText } from '../answer.ts'
import type { ChannelType, ConfigFault, Sending, Sent } from '../channel-type.ts'
import { type EmailConfig, smtpPort } from '../configs.ts'
import { compose } from './compose.ts'
import { mailNotSent } from './errors.ts'
import { submit } from './smtp.ts'

/** Plain addresses, in ASCII: a name beside one, or a second one, has no way in. */
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?=.{1,255}$)[A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?(\.[A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?)*$/

/** SMTP. */
export const email: ChannelType<EmailConfig> = {
  check(config) {
    const faults: ConfigFault[] = []
    const address = 'must be an address such as alerts@example.com'
    if (!ADDRESS.test(config.from)) faults.push({ pointer: '/from', message: address })
    config.to.forEach((to, i) => {
      if (!ADDRESS.test(to)) faults.push({ pointer: `/to/${i}`, message: address })
    })
    if (!/^[^\s/?#@\\%]+$/.test(config.host)) faults.push({ pointer: '/host', message: 'must be a name or an address' })
    return [...faults, ...credentialFaults(config)]
  },

  async send(sending) {
    const { config, outbound, clock, secrets, signal, message, idempotencyKey, charts } = sending
    const port = smtpPort(config)
    try {
      const { address } = await outbound.resolve(config.host, port)
      const pictures = await charts.of(message, signal)
      const mail = await compose({ config, message, idempotencyKey, nowMs: clock.now(), charts: pictures })
      return sentOf(await submit({ config, address, port, mail, signal, clock }), sending)
    } catch (error) {
      return mailNotSent(error, `${config.host}:${port}`, secrets)
    }
  }
}

function credentialFaults({ user, password, tls }: EmailConfig): ConfigFault[] {
  if (password === undefined && user === undefined) return []
  if (user === undefined) return [{ pointer: '/user', message: 'is needed beside a password' }]
  if (password === undefined) return [{ pointer: '/password', message: 'is needed beside a user' }]
  if (tls === 'required' || tls === 'implicit') return []
  return [{ pointer: '/tls', message: 'must be required or implicit, because a password is sent' }]
}

/** The server has it for some at least; sent again, it would come twice to those. */
function sentOf(info: Awaited<ReturnType<typeof submit>>, { secrets }: Sending<EmailConfig>): Sent {
  const status = Number.parseInt(info.response, 10) || null
  const refusals = (info.rejectedErrors ?? []).map((error, i) => `${info.rejected[i]}: ${error.response ?? ''}`)
  if (refusals.length === 0) return { outcome: 'sent', status, answer: answerText(info.response, secrets), code: 'ok' }
  const answer = `Refused for ${refusals.join('; ')}`
  return { outcome: 'sent', status, answer: answerText(answer, secrets), code: 'partly_refused' }
}
