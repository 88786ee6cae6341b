import type { Terms } from './terms.ts'

export const POSTAL_ADDRESS: Terms = {
  for: [
    'address*, addr*, adr, street*, residence, residential, home, shipping, billing, ship to, bill to, deliver to, deliver address, mailing, domicile, dwelling, place of residence, po box',
    '*adresse, *anschrift, straße*, *straße, straßenname, stras, wohnort, wohnsitz, *hausnr, *hausnummer, adresse*, rue, voie, domicile, lieu résidence',
    'dirección*, domicilio*, calle, residencia, vivienda, indirizzo*, via, residenza, recapito, endereço*, morada, logradouro, rua',
    'adres*, ulica, ul, zamieszkania, zameldowania, *adres, straat*, *straat, adress*, *adress, gata, gatuadress, gateadresse, veiadresse, bopæl, bosted, vej',
    'osoite*, *osoite, katu, sokak, cadde, adresa*, ulice, bydliště, lakcím, cím, domiciliu, strada, διεύθυνση*, οδός, κατοικία, κατοικίας, dieuthinsi',
    'адрес*, улица, ул, место жительства, прописка, прописки, адреса, вулиця, місце проживання',
    '地址, 住址, 街道, 收货地址, 住所, 現住所, 所在地, 주소, 배송지, 도로명, 거주지, dizhi, zhuzhi, jusho, juso'
  ],
  against: [
    'ip*, mac, email*, e mail, mail, mails, *mailadresse, mailadres, epost*, e post, web*, url, wallet, memory, bus, host, hex, port, register, eth, btc, crypto*, network, node, log, logs, logging, message, modbus*, plc, slave, device*, ' +
      'hardware, bluetooth, bt, server*, smtp, dns, gateway, internet*, contract, token, page, base, pointer',
    '邮箱地址, 邮件地址, 邮箱, 网址, 이메일주소, 메일주소, 服务器地址, 物理地址, 内存地址, сервер*, почт*, пошт*, эл'
  ],
  alone: ['str'],
  beside: ['nr, no, hausnr, hnr, kunde, kunden, kd, name, privat, lieferung, und, cust, patient']
}

export const COORDINATES: Terms = {
  for: [
    'lat, latit*, lati, lon, longi, lng, longit*, latlng, latlon, lnglat, lonlat, coord*, *coord, *coords, xcoord*, ycoord*, geo*, gps*, wgs*, *wgs, epsg',
    'breitengrad*, längengrad*, geogr*, koordinat*, latitud*, longitud*, coordenada*, coordonnée*, latitudine, longitudine, coordinate*',
    'szerokość geogr*, długość geogr*, szer geogr*, dł geogr*, współrzędne, breedtegraad, lengtegraad, breddgrad, längdgrad, breddegrad, lengdegrad, længdegrad, leveysaste*, pituusaste*, koordinaatit',
    'enlem, boylam, zeměpisná*, γεωγραφικό*, συντεταγμένες, широта, долгота, довгота, координат*',
    '纬度, 经度, 坐标, 经纬度, 緯度, 経度, 經度, 座標, 緯度経度, 위도, 경도, 좌표'
  ],
  against: [
    'ms, latency, seconds, duration, price, rate, short, offset, mm, cm, meters, km, temperature, voltage, ratio, percent, speed, velocity, altitude, alt, elevation, height, hdop, pdop, vdop, accuracy, precision, heading, course, ' +
      'bearing, distance, radius, satellites, sats, area, weight, drift'
  ],
  alone: ['long, breite, länge, laenge, szerokość, długość, šířka, délka'],
  beside: [
    'deg, dd, dec, decimal, dez, x, y, lat, site, store, standort, filiale, customer, kunde, device, start, end, pickup, dropoff, from, to'
  ],
  lastly: ['latitude, longitude']
}
