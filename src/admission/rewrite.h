#pragma once

#include "api/codec/descriptor.h"

namespace kueue::admission {

// What a defaulting webhook does to an object it changed: everything gets the form its encoder
// writes (required members that were absent appear as zero values, quantities are canonical), and
// what the encoder leaves out stays as it was, unless the change took it away (spec/api.md §1.4).
// `before` and `after` are the object as the table's encoder writes it without and with the change;
// `object` becomes the changed object.
void Rewrite(const api::StructDescriptor& table, const api::Json& before, const api::Json& after,
             api::Json& object);

}  // namespace kueue::admission
