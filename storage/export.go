package storage

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
)

// ExportFormat is the format of an export: that of its header and of its lines. The records in them have Format.
const ExportFormat = 1

// ExportHeader is the first line of an export.
type ExportHeader struct {
	Export string `json:"export"` // "kraal"
	Format int    `json:"format"` // ExportFormat
	Record int    `json:"record"` // Format
}

// ExportLine is every further line of an export: one record.
type ExportLine struct {
	Kind    Kind    `json:"kind"`
	Key     string  `json:"key"` // the id
	Version Version `json:"version"`
	Data    Record  `json:"data"`
}

// exportPage is how many records are looked up at once.
const exportPage = 500

// Export writes everything that is kept as JSON Lines: a header, then every record, by kind in the order of Kinds, then
// by id. It is one moment of the store, so let w be quick: a file, not a distant reader. Errors: those of View, Get and
// w. What was written before an error is no export.
func Export(ctx context.Context, s Store, w io.Writer) error {
	buffered := bufio.NewWriterSize(w, 1<<16)
	lines := json.NewEncoder(buffered)
	lines.SetEscapeHTML(false)
	err := s.View(ctx, func(r Reader) error {
		if err := lines.Encode(ExportHeader{"kraal", ExportFormat, Format}); err != nil {
			return err
		}
		for _, kind := range Kinds() {
			if err := exportKind(ctx, r, kind, lines); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

func exportKind(ctx context.Context, r Reader, kind Kind, lines *json.Encoder) error {
	var from Cursor
	for {
		hits, err := r.Range(All(kind), from, exportPage)
		if err != nil {
			return err
		}
		for _, hit := range hits {
			stored, err := r.Get(hit.Key)
			if err != nil {
				return err
			}
			if err := lines.Encode(ExportLine{kind, hit.Key.ID, stored.Version, stored.Record}); err != nil {
				return err
			}
			from = hit.Cursor
		}
		if len(hits) < exportPage {
			return ctx.Err()
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}
