{{- define "earshot.name" -}}
{{- default .Release.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "earshot.labels" -}}
app.kubernetes.io/name: earshot
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "earshot.selector" -}}
app.kubernetes.io/name: earshot
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "earshot.secret" -}}
{{- default (printf "%s-secrets" (include "earshot.name" .)) .Values.existingSecret -}}
{{- end -}}

{{- define "earshot.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "earshot.name" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* Each pod would keep its own files in a folder that ends with it. */}}
{{- define "earshot.files" -}}
{{- if and (ne (default "filesystem" .Values.settings.STORAGE) "s3") (not .Values.filesClaim) -}}
{{- fail "Pods share the files of exports and pictures. Set settings.STORAGE=s3 with settings.S3_BUCKET, or filesClaim with the name of a volume claim that all pods can write to" -}}
{{- end -}}
{{- end -}}

{{/* The pod of one role. Takes the root, the role, its values and its port. */}}
{{- define "earshot.pod" -}}
{{- $root := .root -}}
{{- include "earshot.files" $root -}}
metadata:
  labels:
    {{- include "earshot.selector" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
  annotations:
    checksum/settings: {{ printf "%s%s" (toJson $root.Values.settings) (toJson $root.Values.secrets) | sha256sum }}
    {{- with $root.Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "earshot.serviceAccount" $root }}
  automountServiceAccountToken: false
  # Running requests and deliveries end within 25 seconds.
  terminationGracePeriodSeconds: 40
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    seccompProfile:
      type: RuntimeDefault
  {{- with $root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: earshot
      image: "{{ $root.Values.image.repository }}:{{ default $root.Chart.AppVersion $root.Values.image.tag }}"
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      env:
        - name: ENVIRONMENT
          value: production
        - name: ROLE
          value: {{ .role }}
        - name: {{ .portName }}
          value: "8080"
        {{- range $name, $value := $root.Values.settings }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
      envFrom:
        - secretRef:
            name: {{ include "earshot.secret" $root }}
      ports:
        - name: http
          containerPort: 8080
      startupProbe:
        httpGet: { path: /health, port: http }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /health, port: http }
        periodSeconds: 10
        timeoutSeconds: 3
      readinessProbe:
        httpGet: { path: /health/ready, port: http }
        periodSeconds: 3
        timeoutSeconds: 3
        failureThreshold: 1
      resources:
        {{- toYaml .values.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      volumeMounts:
        - name: files
          mountPath: /data
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: files
      {{- if $root.Values.filesClaim }}
      persistentVolumeClaim:
        claimName: {{ $root.Values.filesClaim }}
      {{- else }}
      emptyDir: {}
      {{- end }}
    - name: tmp
      emptyDir: {}
  {{- with $root.Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
