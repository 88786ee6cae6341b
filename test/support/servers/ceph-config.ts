/**
 * The smallest Ceph that speaks S3: one monitor, one object server that keeps all in memory, one gateway. Everything is
 * in the one folder and on the loopback; the object server takes free ports of Ceph's own range.
 */
export function cephConfig(folder: string, clusterId: string, monitorPort: number): string {
  return `[global]
fsid = ${clusterId}
mon host = [v2:127.0.0.1:${monitorPort}/0]
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
ms bind msgr1 = false
keyring = ${folder}/keyring
mon data = ${folder}/mon
osd data = ${folder}/osd
rgw data = ${folder}
run dir = ${folder}
crash dir = ${folder}
log file =
log to stderr = true
mon cluster log to file = false
admin socket =
pid file =

# One server can't hold copies, and waits for no second opinion.
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail crit = 1
paxos propose interval = 0.05
paxos min wait = 0.02

osd objectstore = memstore
memstore device bytes = ${2 * 1024 ** 3}
osd class load list = *
osd class default list = *
rgw thread pool size = 32
rgw gc max objs = 1
rgw lc max objs = 1
rgw override bucket index max shards = 1
rgw run sync thread = false
debug rgw = 0
`
}

/** The secrets of the cluster's parts; the cluster is thrown away, so they share one. */
export function cephKeyring(key: string): string {
  const everything = ['mon', 'osd', 'mgr'].map((service) => `  caps ${service} = "allow *"`).join('\n')
  return ['mon.', 'client.admin', 'client.rgw', 'osd.0']
    .map((name) => `[${name}]\n  key = ${key}\n${everything}\n`)
    .join('')
}
