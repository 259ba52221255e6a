{{- /* The sections of all pages, for search.js: {file, kind, title, sections: [{anchor, heading, text}, …]}. */ -}}
{{- $pages := slice -}}
{{- range partialCached "list.html" site -}}
  {{- $sections := slice -}}
  {{- $html := .page.Content | replaceRE `<(h[1-6]|dt) id=` "\x00<$1 id=" | replaceRE `(?s)<a class="anchor".*?</a>` "" -}}
  {{- range split $html "\x00" -}}
    {{- with index (findRESubmatch `(?s)^<(?:h[1-6]|dt) id="?([^ ">]*)"?>(.*?)</(?:h[1-6]|dt)>(.*)$` .) 0 -}}
      {{- $text := index . 3 | replaceRE `<(/?(p|li|td|th|tr|dd|pre|div))` " <$1" | plainify | htmlUnescape | replaceRE `\s+` " " | strings.TrimSpace -}}
      {{- $sections = $sections | append (dict "anchor" (index . 1) "heading" (index . 2 | plainify | htmlUnescape | strings.TrimSpace) "text" $text) -}}
    {{- end -}}
  {{- end -}}
  {{- $pages = $pages | append (dict "file" (partial "name.html" .page) "kind" .kind "title" .title "sections" $sections) -}}
{{- end -}}
var searchIndex = {{ $pages | jsonify }};
