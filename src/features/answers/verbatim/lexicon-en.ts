import type { Lexicon } from './lexicon.ts'

export const ENGLISH: Lexicon = {
  words: {
    '4': 'outstanding superb flawless phenomenal exceptional incredible magnificent awesome fantastic perfect perfection',
    '3':
      'excellent amazing love loved loving wonderful brilliant great best delighted delightful fabulous impressed impressive ' +
      'terrific stellar superior thrilled gorgeous favorite favourite fab ace unbeatable lifesaver gem delicious lovely beautiful ' +
      'spotless marvellous marvelous stunning exceeded adore blessing yummy top-notch',
    '2':
      'good happy glad pleased pleasant friendly helpful kind polite nice easy easily effortless smooth smoothly fast quick quickly ' +
      'prompt promptly reliable recommend recommended satisfied satisfying comfortable comfy clean enjoy enjoyed enjoyable fun ' +
      'efficient effective intuitive seamless seamlessly professional courteous attentive responsive knowledgeable generous ' +
      'thank thanks thankful grateful appreciate appreciated worth valuable success successful tasty fresh cool joy win wow bravo ' +
      'patient caring warm welcoming speedy trustworthy honest transparent affordable bargain cheap flexible convenient handy ' +
      'improved improvement resolved solved saved saves stress-free hassle-free painless spacious cosy cozy yay kudos praise ' +
      'neat well simple simplified modern stylish elegant genuine respectful understanding accurate congratulations pleasure',
    '1': 'better fine useful clear safe secure solid sturdy quiet positive like liked likes properly correct correctly hope hopefully fair fairly interesting decent works worked working fixed loyal calm variety',
    '-1':
      'slow slowly delay delayed delays late wait waited waiting wait-time expensive pricey costly overpriced confusing confused complicated ' +
      'difficult hard missing lacks lack lacking small noisy loud cold old outdated dated limited queue queues unclear cramped ' +
      'tight issue issues problem problems bug bugs buggy glitch glitchy error errors trouble concern concerned questionable ' +
      'boring bland dull crowded uncomfortable unfortunately sadly worry worried worse inconvenient inconsistent forgot forgotten ' +
      'repeat repeatedly lag laggy clunky cluttered stale unable fiddly hidden struggle struggled shame regret however thin flimsy weak',
    '-2':
      'bad poor poorly disappointed disappointing disappointment annoying annoyed frustrating frustrated frustration unhappy unhelpful rude ' +
      'dirty broken broke damaged damage wrong fail failed fails failing failure crash crashes crashed crashing ignore ignored ignoring ' +
      'lost complain complaint complaints unfriendly unprofessional unreliable useless incompetent careless refused refuse cancel cancelled ' +
      'waste wasted hate mess messy lie lied lies lying misleading mislead cheated overcharged stuck hassle nuisance pain unacceptable ' +
      'faulty defective defect leak leaking leaked smelly stinks stained sloppy mediocre inferior unsatisfied dissatisfied upset angry ' +
      'impossible nonsense neglected arrogant condescending dismissive stressful unusable tired fed-up regretted chaos chaotic nobody ' +
      'torn cracked scratched shattered mouldy moldy soggy rotten shoddy tacky joke unanswered apology',
    '-3':
      'terrible horrible awful worst disgusting disgusted scam fraud pathetic dreadful appalling atrocious garbage rubbish trash ' +
      'crap crappy shit shitty sucks suck sucked ridiculous furious nightmare disaster hopeless worthless ripoff rip-off outrageous ' +
      'insulting abysmal shambles disgrace disgraceful infuriating ghastly lousy unbearable filthy vile avoid bs wtf joke',
  },
  phrases: {
    '3': 'blown away;blew me away;second to none;can not fault;cannot fault;cant fault;could not be happier;couldnt be happier;could not be better;couldnt be better;above and beyond;five stars;5 stars;10 out of 10;10/10;hats off;a joy to;made my day;well done;nothing but praise;could not ask for more;couldnt ask for more;keep it up;keep up the good work;must have;no complaints;zero complaints;nothing to complain;nothing to improve;without a hitch;without any problems;without problems;without any issues;never had a problem;never had any problems;never had an issue;never let me down;never disappoints',
    '2': 'not bad;no problem;no problems;no issues;no issue;no hassle;no fuss;on time;in no time;works well;works like a charm;will be back;will come back;will order again;would order again;would buy again;will buy again;worth every;as promised;good value;value for money;no trouble;ahead of schedule;easy to;less stressful;problem solved;no wait;no waiting;zero problems;thumbs up;glad i;sorted it;sorted out;far better;much better;so much better;no stress;could not have been;couldnt have been',
    '-1': 'not great;not ideal;not perfect;room for improvement;could be better;could be faster;could be clearer;could be cheaper;could be easier;could have been;should be;should have;needs work;need to improve;needs to improve;would be nice if;would have liked;would prefer;wish it;wish you;wish there;not sure why;had to call;had to ask;too long;too much;too many;too expensive;too small;too big;too late;too slow;so so;hit and miss;hit or miss;let down;used to be;not as good;not the best;no longer',
    '-2': 'never again;let me down;lets me down;letting me down;waste of;fell apart;falls apart;does not work;did not work;doesnt work;didnt work;not working;stopped working;stop working;never arrived;not arrived;never came;did not arrive;didnt arrive;never received;not received;no answer;no reply;no response;no one answers;nobody answers;nobody called;nobody cares;no one cares;could not care less;couldnt care less;hung up;on hold;give up;gave up;fed up;sick of;tired of;ran out;out of stock;hidden fees;hidden costs;still waiting;no refund;money back;want my money;too bad;not worth;poor excuse;no apology;no help;no idea;zero stars;0 stars;one star;1 star;at your own risk;steer clear;stay away;look elsewhere;go elsewhere;going elsewhere;last time;no way;passed around;passed from;kept transferring;over and over;yet again;same mistake;had high hopes;expected more;expected better;nothing works;nothing worked;left waiting;kept waiting;thanks for nothing;yeah right;good luck;as if;how hard can;is it too much to ask;would not recommend;wouldnt recommend;can not recommend;cannot recommend;cant recommend;switching to;have cancelled;cancelled my;cancelling my;not impressed;not happy;not good;not helpful;not acceptable;not clean;not easy;not friendly',
    '0': 'customer care;like to know;would like to;looks like;feel like;felt like;like any other;just like;good morning;good day;as well as;as well;kind of;best before;hard drive;fast food;fine print;well known;free of charge;thank you for asking;nothing special;neither good nor bad;at best;fair enough;works as expected;as expected;did the job;does the job;does what it should;does what it says;nothing to add;no comment;no comments;no opinion;nothing to say;not much to say;average;so far so good;old customer;lost count;nothing more;better than nothing;pretty standard;easy to miss',
  },
  negators:
    'not no never none nothing neither nor without hardly barely cannot cant dont doesnt didnt isnt wasnt arent werent wont wouldnt couldnt shouldnt aint havent hasnt hadnt nobody no-one zero lacks far',
  negatesBackwards: false,
  stronger:
    'very really so extremely absolutely totally completely incredibly super truly highly insanely utterly particularly especially such damn bloody too',
  weaker: 'somewhat slightly little bit rather quite fairly kinda sort almost mostly partly relatively ok okay',
  contrasts: 'but however although though yet except unfortunately sadly still',
  excess: 'too overly',
  wishes: 'should could wish ought needs',
  ironic:
    'great wonderful brilliant fantastic lovely nice super perfect thanks thank congratulations congrats bravo awesome excellent amazing wow cool good love',
}
