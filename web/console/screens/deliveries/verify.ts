export const VERIFY_LANGUAGES = ['TypeScript', 'Python', 'Go', 'PHP', 'Java'] as const
export type VerifyLanguage = (typeof VERIFY_LANGUAGES)[number]

interface Attempt {
  /** Seconds since 1970, as it was sent. */
  timestamp: number
  /** `v1=` and hexadecimal digits, as it was sent. */
  signature: string
}

/**
 * A program that verifies this very attempt: it reads the signed body from `body.json` and the secret from
 * `EARSHOT_SECRET`, and prints `true` or `false` (docs/webhooks.md, "Verify").
 */
export function verifyProgram(language: VerifyLanguage, { timestamp, signature }: Attempt): string {
  return PROGRAMS[language](String(timestamp), signature)
}

const PROGRAMS: Record<VerifyLanguage, (timestamp: string, signature: string) => string> = {
  TypeScript: (timestamp, signature) => `import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'

const body = readFileSync('body.json') // the bytes as they came
const signed = Buffer.concat([Buffer.from('${timestamp}.'), body])
const secret = process.env.EARSHOT_SECRET ?? ''
const expected = Buffer.from('v1=' + createHmac('sha256', secret).update(signed).digest('hex'))
const given = Buffer.from('${signature}')
console.log(given.length === expected.length && timingSafeEqual(given, expected))
`,
  Python: (timestamp, signature) => `import hashlib, hmac, os

body = open("body.json", "rb").read()  # the bytes as they came
secret = os.environ["EARSHOT_SECRET"].encode()
expected = "v1=" + hmac.new(secret, b"${timestamp}." + body, hashlib.sha256).hexdigest()
print(str(hmac.compare_digest(expected, "${signature}")).lower())
`,
  Go: (timestamp, signature) => `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
)

func main() {
	body, err := os.ReadFile("body.json") // the bytes as they came
	if err != nil {
		panic(err)
	}
	mac := hmac.New(sha256.New, []byte(os.Getenv("EARSHOT_SECRET")))
	mac.Write([]byte("${timestamp}."))
	mac.Write(body)
	expected := "v1=" + hex.EncodeToString(mac.Sum(nil))
	fmt.Println(hmac.Equal([]byte(expected), []byte("${signature}")))
}
`,
  PHP: (timestamp, signature) => `<?php
$body = file_get_contents('body.json'); // the bytes as they came
$expected = 'v1=' . hash_hmac('sha256', '${timestamp}.' . $body, getenv('EARSHOT_SECRET'));
echo hash_equals($expected, '${signature}') ? "true\\n" : "false\\n";
`,
  Java: (timestamp, signature) => `import java.nio.file.*;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verify {
  public static void main(String[] args) throws Exception {
    byte[] body = Files.readAllBytes(Path.of("body.json")); // the bytes as they came
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(System.getenv("EARSHOT_SECRET").getBytes("UTF-8"), "HmacSHA256"));
    mac.update("${timestamp}.".getBytes("UTF-8"));
    String expected = "v1=" + HexFormat.of().formatHex(mac.doFinal(body));
    System.out.println(MessageDigest.isEqual(expected.getBytes(), "${signature}".getBytes()));
  }
}
`,
}
