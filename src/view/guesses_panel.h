// What the model's masked-word head would put in the place of the current token, or of the masks.
#pragma once

#include "view/ui.h"

namespace nullscope::view {

void draw_guesses(Ui& ui);

}  // namespace nullscope::view
