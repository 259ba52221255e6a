# xcheck, with a shell and dot:
#
#	docker build -t xcheck .
#	docker run --rm xcheck run -n 100
#
# Translators of your own need an image of your own: copy /usr/bin/xcheck to it.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags=-s -o /xcheck ./cmd/xcheck

FROM debian:12-slim AS root
RUN apt-get update && apt-get install -y --no-install-recommends graphviz
COPY release/root /usr/local/bin/make-root
RUN make-root /root-folder
COPY --from=build /xcheck /root-folder/usr/bin/xcheck

FROM scratch
COPY --from=root /root-folder /
ENV PATH=/usr/bin:/bin HOME=/tmp
USER 65532:65532
WORKDIR /tmp
ENTRYPOINT ["/usr/bin/xcheck"]
