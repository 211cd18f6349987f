import type { Lexicon } from './lexicon.ts'

export const SPANISH: Lexicon = {
  words: {
    '4': 'excelente excelentes perfecto perfecta perfectamente fantástico extraordinario impecable inmejorable insuperable sensacional espectacular',
    '3':
      'genial maravilloso increíble estupendo magnífico encanta encantó encantado encantada encantan fenomenal buenísimo buenísima riquísimo delicioso ' +
      'mejor mejores amo adoro brillante fabuloso impresionante impresionado sobresaliente delicia espléndido chulo guay diez maravilla lujo bárbaro chévere',
    '2':
      'bueno buena buenos buenas buen bien amable amables amabilidad atento atenta atentos atención-excelente simpático simpática rápido rápida rapidez rápidamente rapidísimo fácil fácilmente cómodo cómoda ' +
      'limpio limpia recomiendo recomendar recomendable recomendado satisfecho satisfecha contento contenta feliz gracias agradecido agradecida agradezco agradable eficaz eficiente ' +
      'útil ayudaron ayudó ayudaban fiable confiable confianza profesional profesionales puntual puntuales barato económico sencillo sencilla intuitivo bonito bonita hermoso lindo linda gusta gustó gustado gustan ' +
      'disfruté disfrutar alegría acogedor fresco rico rica solucionaron solucionado resolvieron resuelto acierto éxito felicidades felicitaciones enhorabuena ' +
      'calidad moderno claro clara transparente honesto flexible educado educada competente paciente paciencia práctico tranquilo tranquilidad ágil bravo ventaja cumplen cumplió superó',
    '1': 'funciona funcionó correcto correcta positivo interesante seguro segura suave sólido adecuado vale mejorado mejorando aceptablemente cumple cómodamente variedad justo volveré volveremos repetiré repetiremos ojalá',
    '-1':
      'lento lenta lentos lentitud tarde tardó tarda tardan tardaron demora demoras retraso retrasos retrasado esperar espera esperando esperé caro cara caros carísimo complicado complicada confuso confusa difícil falta faltan faltaba faltó ' +
      'pequeño ruido ruidoso frío fría viejo vieja anticuado problema problemas fallo fallos error errores lástima lamentablemente desafortunadamente incómodo aburrido ' +
      'lleno limitado escaso escasa duda dudas preocupado preocupa largo colas cola incompleto olvidaron olvidado engorroso pesado pesada justito flojo floja débil soso sosa mejorable',
    '-2':
      'malo mala malos malas mal decepcionado decepcionada decepcionante decepción decepcionó molesto molesta molestia frustrante frustrado frustración insatisfecho descontento descontenta grosero grosera maleducado maleducada antipático antipática ' +
      'sucio sucia roto rota rotos rompió dañado dañada falla fallan falló equivocado equivocada incorrecto ignoran ignoraron perdido perdieron perdí queja quejas reclamación reclamar ' +
      'inútil incompetente incompetentes cancelar cancelé cancelaron negaron desastroso odio mentira mentiras mintieron engaño engañoso engañan engañaron abandonado defectuoso defectuosa ' +
      'apesta huele sobrecobro cobraron enfadado enojado imposible desorden caos caótico estrés estresante prepotente pésimamente deficiente ' +
      'lamentable inaceptable nefasto nefasta desagradable cutre insuficiente arrepiento abusivo abuso ridículo ridícula desastre tonto tontería aguanto harto harta fatal colgaron cuelga rayado podrido podrida caducado bloquea bloqueada cierra triste vergonzoso desesperante empeorado empeora peor',
    '-3':
      'horrible horribles terrible pésimo pésima asqueroso asquerosa asco estafa estafadores timo fraude basura mierda vergüenza robo ladrones peores horror horroroso ' +
      'indignante pesadilla espantoso infame penoso penosa inadmisible intolerable abusadores repugnante sinvergüenzas chapuza porquería',
  },
  phrases: {
    '3': 'muy bien;muy bueno;muy buena;muy contento;muy contenta;todo perfecto;todo genial;todo excelente;sin problemas;sin ningún problema;ningún problema;cero problemas;sin queja;sin quejas;ninguna queja;nada que objetar;nada que reprochar;no tengo quejas;no tengo ninguna queja;nunca me ha fallado;nunca fallan;nunca decepciona;nunca decepcionan;no puede ser mejor;no podría ser mejor;no pudo ser mejor;no se puede pedir más;no puedo pedir más;cinco estrellas;5 estrellas;un 10;un diez;mil gracias;muchas gracias;sigan así;seguid así;de lujo;de maravilla;una maravilla;la mejor;el mejor;lo mejor;los mejores;vale la pena;merece la pena;como la seda;10 de 10',
    '2': 'no está mal;nada mal;no es caro;no es cara;no hay problema;sin esperas;sin esperar;sin colas;a tiempo;todo bien;todo correcto;todo en orden;lo recomiendo;la recomiendo;los recomiendo;muy recomendable;volvería a;volveré a;volveremos a;repetiré sin duda;sin duda;buen precio;buena relación;antes de lo previsto;antes de lo esperado;mejor de lo que esperaba;mejor que antes;mucho mejor;ha mejorado;no decepciona;buen trabajo;por fin;en un momento;en un minuto;nada complicado;nada caro;sin complicaciones;no falla;no tardó nada;no tardaron nada;menos mal;fácil de',
    '-1': 'podría ser;podría mejorar;podrían mejorar;podría estar;podrían ser;puede mejorar;debería ser;debería haber;deberían;debería;hace falta;me hubiera gustado;me gustaría que;estaría bien;estaría mejor;echo de menos;echo en falta;demasiado caro;demasiado largo;demasiado lento;demasiado pequeño;demasiado tarde;muy caro;muy lento;muy tarde;esperaba más;esperaba algo más;no del todo;no muy bien;no tan bueno;no tan bien;a mejorar;hay que mejorar;tuve que llamar;tuve que insistir;tuve que;antes era;ya no es;no es lo que era;no me convence;no me convenció',
    '-2': 'nunca más;no vuelvo;no volveré;no volveremos;no repetiré;no funciona;no funcionaba;no funcionó;no sirve;no sirven;no va;no anda;dejó de funcionar;no recomiendo;no lo recomiendo;no la recomiendo;no los recomiendo;no recomendable;nada recomendable;no recomendaría;no llegó;nunca llegó;no ha llegado;no me llegó;sin llegar;sigo esperando;sigo sin;todavía no;aún no;no contestan;no responden;nadie contesta;nadie responde;nadie;no hay respuesta;sin respuesta;ninguna respuesta;ninguna solución;sin solución;no solucionan;no me solucionan;no resuelven;no ayudan;no ayudó;no me ayudaron;no me gustó;no me gusta;no me ha gustado;nada contento;no estoy contento;no estoy contenta;no estoy satisfecho;no estoy satisfecha;pérdida de tiempo;pérdida de dinero;perder el tiempo;tirar el dinero;dinero tirado;devuelvan mi dinero;quiero mi dinero;mi dinero;me colgaron;me cobraron;de mal en peor;deja mucho que desear;dejan mucho que desear;mucho que desear;otra vez;una estrella;cero estrellas;1 estrella;0 estrellas;tomadura de pelo;toman el pelo;tomando el pelo;les da igual;le da igual;da igual;pasan de ti;gracias por nada;ni idea;ni caso;sin avisar;sin previo aviso;no cumplen;no cumplió;no vale;no merece;no vale nada;hasta cuándo;qué vergüenza;me arrepiento;ni siquiera;se cuelga;se cae;se cierra;se rompió;se bloquea;no hay manera;peor imposible;nada bueno;nada bien;nada claro;nada amable',
    '0': 'buenos días;buenas tardes;buenas noches;más o menos;ni fu ni fa;ni bien ni mal;ni bueno ni malo;como esperaba;como siempre;lo normal;normal;regular;nada especial;nada que añadir;nada más;sin comentarios;sin más;sin opinión;no sé;ninguna;ningún comentario;lo esperado;lo de siempre;cumple su función;cumple sin más;hace lo que tiene que hacer;aceptable;del montón;pasable;correcto sin más;no hay mucho que decir;por lo general;más bien;bien o mal;mal o bien;buena pregunta;por si acaso;en caso de',
  },
  negators: 'no nunca jamás sin ningún ninguna ninguno nada ni tampoco apenas nadie poco poca',
  negatesBackwards: false,
  stronger:
    'muy mucho mucha realmente tan súper super absolutamente totalmente completamente increíblemente sumamente bastante demasiado verdaderamente re',
  weaker: 'algo poco ligeramente casi medio relativamente',
  contrasts: 'pero aunque sino embargo lástima',
  excess: 'demasiado demasiada demasiados demasiadas',
  wishes: 'debería deberían podría podrían',
  ironic:
    'genial perfecto fantástico gracias bravo maravilloso estupendo felicidades enhorabuena excelente qué increíble',
}
