; Windows looks at the last part of a name alone: a scenario is a .json file to it. Shoal is offered for those, and takes
; them from no other program.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\.json\OpenWithProgids" "Shoal scenario" ""
!macroend

!macro customUnInstall
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.json\OpenWithProgids" "Shoal scenario"
!macroend
