export interface StarterTopic {
  name: string
  keywords: Record<string, string[]>
}

const list = (words: string) => words.split(', ')

/** The topics that a workspace begins with. Members may change and delete them. */
export const STARTER_TOPICS: StarterTopic[] = [
  topic('Delivery', {
    en: 'deliver*, shipping, shipment, shipped, courier, parcel, package, arrived, arrive, dispatch',
    de: 'lieferung, liefer*, versand, paket, zustellung, zusteller, angekommen, bote',
    es: 'entrega, envío, enviar, paquete, repartidor, mensajero, llegó, reparto',
  }),
  topic('Price', {
    en: 'price, pricing, expensive, cheap, cost, costs, fee, fees, overpriced, affordable, value for money, discount',
    de: 'preis*, teuer, günstig, kosten, gebühr, gebühren, billig, rabatt, überteuert, preisleistung',
    es: 'precio, caro, cara, barato, coste, costo, tarifa, comisión, descuento, carísimo',
  }),
  topic('Support', {
    en: 'support, customer service, helpdesk, agent, hotline, helpline, representative, service desk, call centre, call center',
    de: 'support, kundenservice, kundendienst, hotline, service, berater, beraterin, mitarbeiter am telefon, callcenter',
    es: 'soporte, atención al cliente, servicio al cliente, asistencia, agente, asesor, operador, operadora',
  }),
  topic('Staff', {
    en: 'staff, employee, employees, waiter, waitress, cashier, team, manager, driver, receptionist',
    de: 'personal, mitarbeiter*, verkäufer*, kellner*, team, fahrer, chef, empfang',
    es: 'personal, empleado, empleados, empleada, camarero, camarera, equipo, encargado, dependiente, conductor',
  }),
  topic('Quality', {
    en: 'quality, broken, defective, faulty, material, damaged, durable, fell apart, flimsy, sturdy',
    de: 'qualität*, kaputt, defekt*, material, beschädigt, verarbeitung, mangel*, haltbar, stabil',
    es: 'calidad, roto, rota, defectuoso, material, dañado, acabado, resistente, se rompió',
  }),
  topic('Usability', {
    en: 'easy to use, user friendly, confusing, interface, website, app, navigation, intuitive, login, menu, layout',
    de: 'bedienung, benutzerfreundlich, übersichtlich, unübersichtlich, website, webseite, app, oberfläche, intuitiv, anmeldung, menü',
    es: 'fácil de usar, usabilidad, interfaz, web, aplicación, app, página, intuitivo, menú, navegación',
  }),
  topic('Speed and waiting', {
    en: 'wait*, slow, fast, quick, quickly, queue, delay*, on hold, speed, took ages, late',
    de: 'wart*, langsam, schnell, schlange, verspät*, verzögerung, dauer*, warteschleife, zügig',
    es: 'espera*, lento, lenta, rápido, rápida, cola, retraso, demora*, tardó, tardan, tarde',
  }),
  topic('Billing', {
    en: 'invoice, bill, billing, charged, payment, refund, credit card, subscription, overcharged, paid twice',
    de: 'rechnung*, abbuchung, abgebucht, zahlung, bezahlung, erstattung, kreditkarte, abo, lastschrift, mahnung',
    es: 'factura, facturación, cobro, cobraron, pago, reembolso, tarjeta, suscripción, devolución del dinero',
  }),
  topic('Returns', {
    en: 'return, returns, returned, exchange, replacement, send back, sent back, warranty',
    de: 'rückgabe, retoure*, umtausch*, rücksendung, zurückgeschickt, zurückschicken, garantie, ersatz, gewährleistung',
    es: 'devolución, devolver, devuelto, cambio de talla, garantía, reemplazo, sustitución',
  }),
  topic('Reliability', {
    en: 'crash*, bug*, error*, outage, downtime, unstable, freeze*, glitch*, reliable, unreliable, does not work, stopped working',
    de: 'absturz, abstürze, stürzt ab, fehler*, ausfall, ausfälle, störung*, zuverlässig, unzuverlässig, funktioniert nicht, hängt',
    es: 'error*, fallo*, falla*, caída, se cuelga, se cierra, inestable, fiable, no funciona, dejó de funcionar',
  }),
]

function topic(name: string, { en, de, es }: Record<'en' | 'de' | 'es', string>): StarterTopic {
  return { name, keywords: { en: list(en), de: list(de), es: list(es) } }
}
