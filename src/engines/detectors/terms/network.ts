import type { Terms } from './terms.ts'

export const IP_ADDRESS: Terms = {
  for: [
    'ip, ips, ipv, ip address, ipaddr*, ipaddress*, *ip, ipadr*, client ip, remote addr, remote ip, src ip, dst ip, source ip, host, gateway, dns, subnet, cidr, endpoint, peer',
    'adresse ip, dirección ip, indirizzo ip, endereço ip, adres ip, διεύθυνση ip, ip адрес, айпи, ip地址, ip アドレス, ip 주소'
  ],
  against: ['version*, build, release*, firmware*, oid, section, chapter, clause, revision, paragraph']
}

export const MAC_ADDRESS: Terms = {
  for: [
    'mac*, *mac, hwaddr*, hw address, hw addr, hardware address, hardware addr, ethernet*, bssid, wlan, wifi, nic, bluetooth, bt addr*, ble addr*, lan, device address, physical address, physical addr, eui, devaddr, deveui',
    'мак адрес, 物理地址, 物理アドレス, 물리주소'
  ],
  against: ['hash, checksum, commit, digest, sha*, md5, etag, machine*, macro*, color*, colour*']
}
